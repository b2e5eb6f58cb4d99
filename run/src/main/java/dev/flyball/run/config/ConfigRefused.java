package dev.flyball.run.config;

/** A file of settings that does not count, with its name, the line and the rule it breaks. */
public final class ConfigRefused extends Exception {
  private static final long serialVersionUID = 1;

  public ConfigRefused(String message) {
    super(message);
  }
}
