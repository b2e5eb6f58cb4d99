package dev.flyball.publish;

/** A host did not do what it was asked for: why, in a line, and what to do. */
public final class HostTrouble extends Exception {
  private static final long serialVersionUID = 1;

  /** The sort of it. */
  public enum Reason {
    NO_TOKEN,
    /** The token is refused. */
    REFUSED,
    /** The token may read and not write, as that of a fork's job. */
    READ_ONLY,
    NOT_FOUND,
    CLOSED,
    /** The change is larger than the host's interface shows. */
    TOO_LARGE,
    /** Nobody was reached, or nobody answered in time. */
    UNREACHABLE,
    /** Its limits are used up for longer than is waited. */
    LIMITED,
    /** It may have been carried out, and nobody knows. */
    UNCERTAIN,
    /** The host says that what it was sent cannot be. */
    INVALID
  }

  private final Reason reason;

  HostTrouble(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
