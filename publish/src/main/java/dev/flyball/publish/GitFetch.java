package dev.flyball.publish;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The two commits of a change in a repository of their own, for changes that are too large to be
 * read in any other way. It is gone when it is closed.
 *
 * <p>The token goes to Git in its environment and only to the address of the host; no setting of
 * the user or the machine counts, and nothing that is fetched runs.
 */
final class GitFetch implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(15);
  private static final int REMARKS = 2_000;
  private static final Set<String> PASSED_ON =
      Set.of(
          "PATH",
          "HOME",
          "TMPDIR",
          "TEMP",
          "TMP",
          "LD_LIBRARY_PATH",
          "SYSTEMROOT",
          "WINDIR",
          "HTTPS_PROXY",
          "HTTP_PROXY",
          "NO_PROXY",
          "ALL_PROXY",
          "SSL_CERT_FILE",
          "SSL_CERT_DIR");

  private final Path folder;

  private GitFetch(Path folder) {
    this.folder = folder;
  }

  Path folder() {
    return folder;
  }

  static GitFetch of(CodeHost host, PullRequest pull) throws HostTrouble, InterruptedException {
    try {
      var fetch = new GitFetch(Files.createTempDirectory("flyball-pull-"));
      boolean done = false;
      try {
        fetch.run(host, "init", "--quiet", ".");
        fetch.run(
            host,
            "fetch",
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--no-recurse-submodules",
            host.gitAddress(pull.name().repository()),
            pull.base(),
            pull.head());
        done = true;
        return fetch;
      } finally {
        if (!done) {
          fetch.close();
        }
      }
    } catch (IOException failed) {
      throw new HostTrouble(
          HostTrouble.Reason.TOO_LARGE,
          "%s is too large to be read without Git, and that failed: %s"
              .formatted(pull.name(), failed.getMessage()));
    }
  }

  private void run(CodeHost host, String... words) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(words));
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    var environment = builder.environment();
    environment.keySet().removeIf(name -> !PASSED_ON.contains(name.toUpperCase(Locale.ROOT)));
    environment.putAll(
        Map.of(
            "LC_ALL", "C",
            "GIT_TERMINAL_PROMPT", "0",
            "GIT_CONFIG_NOSYSTEM", "1",
            "GIT_CONFIG_GLOBAL", "/dev/null"));
    var settings = settings(host);
    int count = 0;
    for (var setting : settings.entrySet()) {
      environment.put("GIT_CONFIG_KEY_" + count, setting.getKey());
      environment.put("GIT_CONFIG_VALUE_" + count++, setting.getValue());
    }
    environment.put("GIT_CONFIG_COUNT", Integer.toString(count));
    var said = folder.resolve(".git-said");
    builder.redirectOutput(said.toFile());
    var process = builder.start();
    process.getOutputStream().close();
    try {
      if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("git %s did not end within %s".formatted(words[0], PATIENCE));
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      var text = Files.readString(said, StandardCharsets.ISO_8859_1).strip();
      var line = text.substring(0, Math.min(REMARKS, text.length())).replaceAll("\\s+", " ");
      throw new IOException("git %s: %s".formatted(words[0], line));
    }
    Files.delete(said);
  }

  private static Map<String, String> settings(CodeHost host) {
    var settings = new LinkedHashMap<String, String>();
    settings.put("protocol.allow", "never");
    settings.put("protocol.https.allow", "always");
    settings.put("protocol.http.allow", "always");
    settings.put("http.followRedirects", "false");
    settings.put("credential.helper", "");
    settings.put("core.hooksPath", "/dev/null");
    settings.put("core.fsmonitor", "false");
    settings.put("fetch.fsckObjects", "true");
    settings.put("gc.auto", "0");
    settings.put("maintenance.auto", "false");
    host.gitSettings()
        .forEach(
            (key, value) ->
                settings.put(key.replace("http.", "http." + host.place().site() + "/."), value));
    return settings;
  }

  @Override
  public void close() {
    try (var all = Files.walk(folder)) {
      for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException busy) {
      throw new UncheckedIOException(busy);
    }
  }
}
