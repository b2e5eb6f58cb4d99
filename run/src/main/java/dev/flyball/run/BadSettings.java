package dev.flyball.run;

/** A setting that cannot be: the rule, the value, and what to do about it. */
public final class BadSettings extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  public BadSettings(String message) {
    super(message);
  }
}
