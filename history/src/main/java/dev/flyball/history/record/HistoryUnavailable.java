package dev.flyball.history.record;

/** The failure to reach a history: what must hold, where, and what to do about it. */
public final class HistoryUnavailable extends Exception {
  private static final long serialVersionUID = 1;
  private static final String ADVICE = " (or go on without it: --no-history)";

  private final String reason;

  public HistoryUnavailable(String reason, Throwable cause) {
    super(reason + ADVICE, cause);
    this.reason = reason;
  }

  public HistoryUnavailable(String reason) {
    super(reason + ADVICE);
    this.reason = reason;
  }

  /** The message without the advice, for those who cannot go on without a history. */
  public String reason() {
    return reason;
  }
}
