package dev.flyball.run;

/** The end of a run, as a command says it to a shell. */
public enum ExitCode {
  /** Everything is done. */
  DONE(0),
  /** Everything was tried, and something failed for good or is at or above the gate. */
  FAILED(1),
  /** The usage, the configuration or the input is wrong; nothing was sent. */
  REFUSED(2),
  /** Something is left to do, and the same command goes on with it. Beats {@link #FAILED}. */
  INCOMPLETE(3),
  /** The provider could not be reached or refused the key, before anything was answered. */
  UNREACHABLE(4),
  /** A second Ctrl+C. */
  ABORTED(130);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}
