package dev.flyball.review.source;

import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.patch.TextDecoder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The {@code git} command in a folder, in an environment in which only the repository itself is
 * known: no variables but those that a program needs to start, no settings of the user or the
 * machine, nothing that starts a program.
 *
 * <p>Settings are handed over in the environment and not as {@code -c name=value}: there Git parts
 * the two at the first equals sign, which a repository may have in the name of a filter.
 */
record GitCommand(Path program, Path folder, List<Setting> settings, Duration patience) {
  /** A setting of Git that holds whatever a repository says. */
  record Setting(String key, String value) {}

  private static final int REMARKS = 8192;
  private static final int RENAMES = 1000;

  /** What a program needs to start, and Git to find the settings of its user. Keys are not here. */
  private static final Set<String> PASSED_ON =
      Set.of(
          "PATH",
          "HOME",
          "XDG_CONFIG_HOME",
          "TMPDIR",
          "LD_LIBRARY_PATH",
          "USERPROFILE",
          "HOMEDRIVE",
          "HOMEPATH",
          "SYSTEMROOT",
          "WINDIR",
          "TEMP",
          "TMP");

  private static final List<String> FLAGS = List.of("--no-pager", "--literal-pathspecs");

  private static final List<Setting> ALWAYS =
      List.of(
          new Setting("safe.bareRepository", "explicit"),
          new Setting("protocol.allow", "never"),
          new Setting("core.quotepath", "off"),
          new Setting("core.fsmonitor", "false"),
          new Setting("core.hooksPath", "/dev/null"),
          new Setting("core.attributesFile", "/dev/null"),
          new Setting("core.excludesFile", "/dev/null"),
          new Setting("core.bigFileThreshold", "512m"),
          new Setting("diff.external", ""),
          new Setting("diff.orderFile", "/dev/null"),
          new Setting("diff.suppressBlankEmpty", "false"),
          new Setting("diff.renameLimit", Integer.toString(RENAMES)),
          new Setting("log.showSignature", "false"),
          new Setting("log.mailmap", "false"),
          new Setting("submodule.recurse", "false"),
          new Setting("color.ui", "false"));

  /** The output of a command, and how it ended. */
  static final class Answer {
    private final byte[] out;
    private final String remarks;
    private final int exit;

    private Answer(End<byte[]> end) {
      this.out = end.value;
      this.remarks = end.remarks;
      this.exit = end.exit;
    }

    byte[] out() {
      return out;
    }

    String remarks() {
      return remarks;
    }

    int exit() {
      return exit;
    }

    String text() {
      return TextDecoder.of(out).strip();
    }
  }

  /** The use of a command's output while it comes. */
  @FunctionalInterface
  interface OutputReader<T> {
    T read(InputStream out) throws IOException, PatchRefused;
  }

  /**
   * The program that a PATH has. It is looked for here and not left to the system, which would also
   * look in the folder that it runs in, where a repository could have put its own.
   */
  static Optional<Path> program(@Nullable String path) {
    if (path == null) {
      return Optional.empty();
    }
    for (var part : path.split(File.pathSeparator, -1)) {
      for (var name : List.of("git", "git.exe")) {
        var file = Path.of(part, name);
        if (file.isAbsolute() && Files.isRegularFile(file) && Files.isExecutable(file)) {
          return Optional.of(file);
        }
      }
    }
    return Optional.empty();
  }

  GitCommand in(Path other) {
    return new GitCommand(program, other, settings, patience);
  }

  GitCommand with(List<Setting> more) {
    return new GitCommand(program, folder, more, patience);
  }

  /** Everything it says. */
  Answer ask(String... arguments) throws SourceUnavailable {
    try {
      var end = run(true, in -> in.readNBytes(FileContents.LARGEST + 1), arguments);
      checkLength(end.value);
      return new Answer(end);
    } catch (PatchRefused impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The same with the settings of the user, which say whom to trust and how lines end. */
  Answer askOfUser(String... arguments) throws SourceUnavailable {
    try {
      var end = run(false, in -> in.readNBytes(FileContents.LARGEST), arguments);
      return new Answer(end);
    } catch (PatchRefused impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** What must succeed. */
  String need(String... arguments) throws SourceUnavailable {
    var answer = ask(arguments);
    if (answer.exit != 0) {
      throw failed(arguments[0], answer.remarks);
    }
    return answer.text();
  }

  <T> T read(OutputReader<T> reader, String... arguments) throws SourceUnavailable, PatchRefused {
    var end = run(true, reader, arguments);
    if (end.exit != 0) {
      throw failed(arguments[0], end.remarks);
    }
    return end.value;
  }

  private static void checkLength(byte[] out) throws SourceUnavailable {
    FileContents.checkSize("what git says", out.length);
  }

  private SourceUnavailable failed(String command, String remarks) {
    return new SourceUnavailable(
        SourceUnavailable.Reason.FAILED,
        "git %s failed in %s: %s".formatted(command, folder, Revision.shown(remarks.strip())));
  }

  private record End<T>(T value, String remarks, int exit) {}

  /** One to talk with; whoever starts it ends it. What it remarks goes nowhere. */
  Process start(String... arguments) throws SourceUnavailable {
    return start(builder(true, arguments).redirectError(ProcessBuilder.Redirect.DISCARD));
  }

  private Process start(ProcessBuilder builder) throws SourceUnavailable {
    try {
      return builder.start();
    } catch (IOException missing) {
      throw new SourceUnavailable(
          SourceUnavailable.Reason.GIT_MISSING,
          "git could not be started in %s: %s".formatted(folder, missing.getMessage()),
          missing);
    }
  }

  private ProcessBuilder builder(boolean alone, String... arguments) {
    var command = new ArrayList<String>();
    command.add(program.toString());
    command.addAll(FLAGS);
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    prepare(builder.environment(), alone);
    return builder;
  }

  private <T> End<T> run(boolean alone, OutputReader<T> reader, String... arguments)
      throws SourceUnavailable, PatchRefused {
    var process = start(builder(alone, arguments));
    var late = new AtomicBoolean();
    var guard =
        CompletableFuture.runAsync(
            () -> {
              if (process.isAlive()) {
                late.set(true);
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
              }
            },
            CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      process.getOutputStream().close();
      var remarks = CompletableFuture.supplyAsync(() -> remarks(process), threads);
      T value;
      try (var out = process.getInputStream()) {
        value = reader.read(out);
      }
      int exit = process.onExit().join().exitValue();
      var said = remarks.join();
      if (late.get()) {
        throw late(arguments[0]);
      }
      return new End<>(value, said, exit);
    } catch (IOException failure) {
      if (late.get()) {
        throw late(arguments[0]);
      }
      throw SourceUnavailable.failed("git " + arguments[0], failure);
    } finally {
      guard.cancel(false);
      process.destroyForcibly();
    }
  }

  private SourceUnavailable late(String command) {
    return new SourceUnavailable(
        SourceUnavailable.Reason.TIMED_OUT,
        "git %s in %s did not finish within %s".formatted(command, folder, patience));
  }

  private static String remarks(Process process) {
    try (var errors = process.getErrorStream()) {
      var first = TextDecoder.of(errors.readNBytes(REMARKS));
      errors.transferTo(OutputStream.nullOutputStream());
      return first;
    } catch (IOException closed) {
      return "";
    }
  }

  private void prepare(Map<String, String> environment, boolean alone) {
    environment.keySet().removeIf(name -> !PASSED_ON.contains(name.toUpperCase(Locale.ROOT)));
    environment.put("LC_ALL", "C");
    environment.put("GIT_OPTIONAL_LOCKS", "0");
    environment.put("GIT_TERMINAL_PROMPT", "0");
    environment.put("GIT_NO_LAZY_FETCH", "1");
    environment.put("GIT_NO_REPLACE_OBJECTS", "1");
    environment.put("GIT_GRAFT_FILE", "/dev/null");
    environment.put("GIT_ALLOW_PROTOCOL", "none");
    environment.put("GIT_ATTR_NOSYSTEM", "1");
    if (alone) {
      environment.put("GIT_CONFIG_NOSYSTEM", "1");
      environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
    }
    int count = 0;
    for (var setting : Stream.concat(ALWAYS.stream(), settings.stream()).toList()) {
      environment.put("GIT_CONFIG_KEY_" + count, setting.key());
      environment.put("GIT_CONFIG_VALUE_" + count, setting.value());
      count++;
    }
    environment.put("GIT_CONFIG_COUNT", Integer.toString(count));
  }
}
