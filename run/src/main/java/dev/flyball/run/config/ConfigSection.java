package dev.flyball.run.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A key of a file of settings that is no option, and whether a project may have it. Prices are the
 * user's because a budget in money is only as true as they are.
 */
public enum ConfigSection {
  LENSES(true),
  PROFILES(true),
  CLASSES(true),
  RULES(true),
  PROVIDERS(false),
  PRICES(false);

  private final boolean project;

  ConfigSection(boolean project) {
    this.project = project;
  }

  /** Whether the file of a project may have it; the user's own file may have all. */
  public boolean isForProjects() {
    return project;
  }

  /** As it is written. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ConfigSection> of(String key) {
    return Arrays.stream(values()).filter(each -> each.key().equals(key)).findFirst();
  }
}
