package dev.flyball.history.record;

/** Whether answers came from a provider or were made up by the simulator. */
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
