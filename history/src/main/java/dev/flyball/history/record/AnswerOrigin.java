package dev.flyball.history.record;

/** The origin of answers: a provider, or the simulator that made them up. */
public enum AnswerOrigin {
  REAL,
  SIMULATED;

  public int code() {
    return this == SIMULATED ? 1 : 0;
  }

  public static AnswerOrigin of(int code) {
    return code == 0 ? REAL : SIMULATED;
  }
}
