package dev.flyball.review.source;

/** That what was to be read cannot be had: what must hold, and what to do about it. */
public final class SourceUnavailable extends Exception {
  private static final long serialVersionUID = 1;

  /** What is in the way. */
  public enum Reason {
    NOT_A_REPOSITORY,
    NOT_TRUSTED,
    UNKNOWN_REVISION,
    NO_COMMON_COMMIT,
    SHALLOW,
    GIT_MISSING,
    TOO_LARGE,
    TIMED_OUT,
    FAILED
  }

  private final Reason reason;

  public SourceUnavailable(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public SourceUnavailable(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
