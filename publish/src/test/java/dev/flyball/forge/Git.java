package dev.flyball.forge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code git} command in one repository, without the settings of this machine. What it says of
 * commits by their ids stays true, and is asked once.
 */
public record Git(Path folder) {
  private static final Map<String, byte[]> SAID = new ConcurrentHashMap<>();
  private static final Pattern LASTING = Pattern.compile("[0-9a-f]{40}");

  /** What it says; a failure is a failed test. */
  public String say(String... words) {
    return new String(bytes(words), StandardCharsets.UTF_8).strip();
  }

  public byte[] bytes(String... words) {
    var out = run(words);
    if (out == null) {
      throw new IllegalStateException("git " + String.join(" ", words) + " failed in " + folder);
    }
    return out;
  }

  /** Whether it succeeds. */
  public boolean agrees(String... words) {
    return run(words) != null;
  }

  private byte @Nullable [] run(String... words) {
    boolean lasts =
        (words[0].equals("diff") || words[0].equals("merge-base"))
            && LASTING.matcher(words[words.length - 1]).matches()
            && LASTING.matcher(words[words.length - 2]).matches();
    var key = folder + "\0" + String.join("\0", words);
    var known = lasts ? SAID.get(key) : null;
    var said = known == null ? asked(words) : known;
    if (lasts && said != null) {
      SAID.put(key, said);
    }
    return said;
  }

  private byte @Nullable [] asked(String... words) {
    try {
      var command =
          new ArrayList<>(List.of("git", "-c", "user.name=a", "-c", "user.email=a@b.example"));
      command.addAll(List.of(words));
      var builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      builder
          .environment()
          .putAll(
              Map.of(
                  "GIT_CONFIG_GLOBAL", "/dev/null",
                  "GIT_CONFIG_NOSYSTEM", "1",
                  "GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z",
                  "GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z"));
      var process = builder.start();
      process.getOutputStream().close();
      var out = process.getInputStream().readAllBytes();
      return process.waitFor() == 0 ? out : null;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }
}
