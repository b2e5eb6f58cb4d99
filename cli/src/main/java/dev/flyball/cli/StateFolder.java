package dev.flyball.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flyball.review.plan.Digests;
import dev.flyball.review.source.Tree;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** Where a user's programs keep what they have learned. */
final class StateFolder {
  private StateFolder() {}

  /** The file of what lanes and prompts were found to be. */
  static Path learned(Map<String, String> environment) {
    return folder(environment).resolve("learned.json");
  }

  /** What is known of the files of a folder from earlier plans; it can be deleted at any time. */
  static Digests digests(Map<String, String> environment, Path folder, Instant now) {
    var name = UUID.nameUUIDFromBytes(Tree.top(folder).toString().getBytes(UTF_8));
    return Digests.in(folder(environment).resolve("digests").resolve(name + ".bin"), now);
  }

  private static Path folder(Map<String, String> environment) {
    for (var name : new String[] {"XDG_STATE_HOME", "LOCALAPPDATA"}) {
      if (!environment.getOrDefault(name, "").isBlank()) {
        return Path.of(environment.get(name), "flyball");
      }
    }
    var home = environment.getOrDefault("HOME", System.getProperty("user.home", "."));
    return Path.of(home, ".local", "state", "flyball");
  }
}
