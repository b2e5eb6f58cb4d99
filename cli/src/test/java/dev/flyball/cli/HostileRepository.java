package dev.flyball.cli;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A repository of a stranger, with a change that would like to be approved unseen. It stands in a
 * folder of its own beside things that are nobody's business: a file outside, a home, a state
 * folder.
 *
 * <p>Whatever of the change must be seen has a mark in it, and {@link #marks} knows all of them.
 */
final class HostileRepository {
  /** Tokens that must never be anywhere but where they are. */
  static final String FILE_CANARY = "canary-of-a-file-zq7";

  private static final String SAFE = "def add(a, b):\n    return a + b\n";

  final Path around;
  final Path folder;
  final Path outside;
  private final List<String> marks = new ArrayList<>();
  private final List<String> findings = new ArrayList<>();

  private HostileRepository(Path around) {
    this.around = around;
    this.folder = around.resolve("repository");
    this.outside = around.resolve("outside");
  }

  /** With an honest past, and files in it that hold secrets: a copy of one that is made once. */
  static HostileRepository in(Path around) throws IOException, InterruptedException {
    var template = around.resolveSibling("template");
    if (!Files.exists(template)) {
      make(new HostileRepository(template));
    }
    try (var all = Files.walk(template)) {
      for (var file : all.toList()) {
        Files.copy(file, around.resolve(template.relativize(file).toString()));
      }
    }
    return new HostileRepository(around);
  }

  private static void make(HostileRepository made) throws IOException, InterruptedException {
    Files.createDirectories(made.folder);
    Files.createDirectories(made.outside);
    Files.createDirectories(made.around.resolve("home"));
    Files.writeString(
        made.outside.resolve("victim.txt"),
        "first line\n" + FILE_CANARY + " no newline at the end");
    made.git("init", "-q", "-b", "main");
    made.put("src/calc.py", SAFE);
    made.put("src/large.py", "value = 1\n".repeat(150_000));
    made.put("README.md", "A calculator.\n");
    made.put(".env", "INSIDE=" + FILE_CANARY + "\n");
    made.put(".npmrc", "//host/:_authToken=" + FILE_CANARY + "\n");
    made.put("vendor/known/lib.py", "def lib():\n    return 1\n");
    made.commit("before");
    made.git("config", "remote.origin.url", "https://x:" + FILE_CANARY + "@host.invalid/x.git");
  }

  /** The change begins: what comes now is part of it. */
  void branch() throws IOException, InterruptedException {
    git("checkout", "-q", "-b", "change");
  }

  /** A line that nobody should let in, in some language; it has to be seen. */
  String payload() {
    var mark = "boom_%d_%s".formatted(marks.size(), around.getFileName());
    marks.add(mark);
    return "import os; os.system(\"" + mark + "\")";
  }

  /** What was announced is a finding instead of something that is shown. */
  void expects(String rule) {
    findings.add(rule);
  }

  List<String> marks() {
    return List.copyOf(marks);
  }

  /** Of several ways, a later one may have written over the file of an earlier one. */
  void forgetWhatIsGone() throws IOException {
    var texts = new StringBuilder();
    try (var all = Files.walk(folder)) {
      for (var file : all.filter(each -> Files.isRegularFile(each, NOFOLLOW_LINKS)).toList()) {
        if (!file.startsWith(folder.resolve(".git"))) {
          texts.append(Files.readString(file, StandardCharsets.ISO_8859_1).replace("\0", ""));
        }
      }
    }
    marks.removeIf(mark -> texts.indexOf(mark) < 0);
  }

  List<String> findings() {
    return List.copyOf(findings);
  }

  void put(String path, String text) throws IOException {
    put(path, text.getBytes(StandardCharsets.UTF_8));
  }

  void put(String path, byte[] content) throws IOException {
    var file = folder.resolve(path);
    Files.createDirectories(file.resolveSibling("."));
    Files.write(file, content);
  }

  void link(String path, String target) throws IOException {
    var file = folder.resolve(path);
    Files.createDirectories(file.resolveSibling("."));
    Files.deleteIfExists(file);
    Files.createSymbolicLink(file, Path.of(target));
  }

  /** A script outside that leaves a trace when somebody runs it. */
  Path trap() throws IOException {
    var script = outside.resolve("trap.sh");
    if (!Files.exists(script)) {
      Files.writeString(
          script, "#!/bin/sh\nenv > \"%s\"\ncat\n".formatted(around.resolve("sprung")));
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return script;
  }

  String git(String... words) throws IOException, InterruptedException {
    return CommandDesk.git(folder, words);
  }

  void commit(String message) throws IOException, InterruptedException {
    git("add", "-A", "-f");
    git("commit", "-q", "--allow-empty", "-m", message);
  }

  /** Everything here but the state folder, as it is now: kinds, modes, contents. */
  Map<String, String> picture() throws IOException {
    var picture = new TreeMap<String, String>();
    try (var all = Files.walk(around)) {
      for (var file : all.toList()) {
        var name = around.relativize(file).toString();
        if (!name.equals("state") && !name.startsWith("state/")) {
          picture.put(name, look(file));
        }
      }
    }
    return picture;
  }

  private static String look(Path file) throws IOException {
    if (Files.isSymbolicLink(file)) {
      return "link to " + Files.readSymbolicLink(file);
    }
    var mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file, NOFOLLOW_LINKS));
    return Files.isRegularFile(file)
        ? mode + " " + Arrays.hashCode(Files.readAllBytes(file)) + " " + Files.size(file)
        : mode;
  }
}
