package dev.flyball.cli;

import java.nio.file.Path;
import java.util.Map;

/** Where a user's programs keep what they have learned. */
final class StateFolder {
  private StateFolder() {}

  /** The file of what lanes and prompts were found to be. */
  static Path learned(Map<String, String> environment) {
    return folder(environment).resolve("learned.json");
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
