package dev.flyball.history;

/** Whether answers came from a provider or were made up by the simulator. */
public enum Origin {
  REAL,
  SIMULATED;

  int code() {
    return this == SIMULATED ? 1 : 0;
  }

  static Origin of(int code) {
    return code == 0 ? REAL : SIMULATED;
  }
}
