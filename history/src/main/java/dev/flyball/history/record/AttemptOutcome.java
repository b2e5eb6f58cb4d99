package dev.flyball.history.record;

/** The outcome of one attempt. The codes are what is stored, and never change. */
public enum AttemptOutcome {
  ANSWERED(1),
  /** Turned away by a rate limit. */
  THROTTLED(2),
  /** Turned away by a provider that has no room. */
  OVERLOADED(3),
  /** Lost on the way: no connection, a time-out. */
  BROKEN(4),
  /** The answer began and did not end. */
  CUT_SHORT(5),
  /** Refused for good by the provider. */
  REJECTED(6);

  private final int code;

  AttemptOutcome(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** The outcome that has a code. */
  public static AttemptOutcome of(int code) {
    for (var each : values()) {
      if (each.code == code) {
        return each;
      }
    }
    throw new IllegalArgumentException("an outcome's code is from 1 to 6, but was " + code);
  }
}
