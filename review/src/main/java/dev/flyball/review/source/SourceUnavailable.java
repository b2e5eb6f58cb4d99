package dev.flyball.review.source;

/** The refusal to read a source: what must hold, and what to do about it. */
public final class SourceUnavailable extends Exception {
  private static final long serialVersionUID = 1;

  /** The obstacle. */
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

  /** One that a failure of the machine is behind. */
  public static SourceUnavailable failed(String what, Exception cause) {
    return new SourceUnavailable(
        Reason.FAILED, "%s failed: %s".formatted(what, cause.getMessage()), cause);
  }

  public Reason reason() {
    return reason;
  }
}
