package dev.flyball.history.record;

/** That the history cannot be had: what must hold, where, and what to do about it. */
public final class HistoryUnavailable extends Exception {
  private static final long serialVersionUID = 1;
  private static final String WAY_OUT = " (or go on without it: --no-history)";

  private final String reason;

  public HistoryUnavailable(String reason, Throwable cause) {
    super(reason + WAY_OUT, cause);
    this.reason = reason;
  }

  public HistoryUnavailable(String reason) {
    super(reason + WAY_OUT);
    this.reason = reason;
  }

  /** Without the way out, for those who cannot go on without it. */
  public String reason() {
    return reason;
  }
}
