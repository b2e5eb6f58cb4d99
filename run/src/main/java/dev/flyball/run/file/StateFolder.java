package dev.flyball.run.file;

import java.nio.file.Path;
import java.util.Map;

/** The folder in which a user's programs keep what they have learned. */
public final class StateFolder {
  private StateFolder() {}

  /** The file of what lanes and prompts were found to be. */
  public static Path learned(Map<String, String> environment) {
    return folder(environment).resolve("learned.json");
  }

  /** The folder of all that is kept. */
  public static Path folder(Map<String, String> environment) {
    for (var name : new String[] {"XDG_STATE_HOME", "LOCALAPPDATA"}) {
      if (!environment.getOrDefault(name, "").isBlank()) {
        return Path.of(environment.get(name), "flyball");
      }
    }
    var home = environment.getOrDefault("HOME", System.getProperty("user.home", "."));
    return Path.of(home, ".local", "state", "flyball");
  }
}
