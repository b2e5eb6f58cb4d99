package dev.flyball.history;

/** That the history cannot be had: what must hold, where, and what to do about it. */
public final class HistoryUnavailable extends Exception {
  private static final long serialVersionUID = 1;

  HistoryUnavailable(String message, Throwable cause) {
    super(message + " (or go on without it: --no-history)", cause);
  }

  HistoryUnavailable(String message) {
    super(message + " (or go on without it: --no-history)");
  }
}
