package dev.flyball.call;

import java.time.Duration;
import java.util.Optional;

/** What one attempt came back with. */
public sealed interface Reply<T> {
  /** The cases of a reply, where its contents do not matter. */
  enum Kind {
    ANSWERED("Answered"),
    THROTTLED("Throttled"),
    OVERLOADED("Overloaded"),
    BROKEN("Broken"),
    CUT_SHORT("CutShort"),
    REJECTED("Rejected");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  default Kind kind() {
    return switch (this) {
      case Answered<T> answered -> Kind.ANSWERED;
      case Throttled<T> throttled -> Kind.THROTTLED;
      case Overloaded<T> overloaded -> Kind.OVERLOADED;
      case Broken<T> broken -> Kind.BROKEN;
      case CutShort<T> cut -> Kind.CUT_SHORT;
      case Rejected<T> rejected -> Kind.REJECTED;
    };
  }

  /**
   * What an attempt of that size has used, or may have used: what the reply says, and the most
   * there can be where it was sent and nobody knows.
   */
  default Usage billed(Estimate estimate) {
    return switch (this) {
      case Answered<T> answered -> answered.usage();
      case CutShort<T> cut -> cut.usage();
      case Broken<T> broken when broken.sent() -> {
        var most = Usage.of(estimate.input(), estimate.maxOutput());
        yield estimate.cost().map(most::costing).orElse(most);
      }
      case Broken<T> neverSent -> Usage.NONE;
      case Throttled<T> throttled -> Usage.NONE;
      case Overloaded<T> overloaded -> Usage.NONE;
      case Rejected<T> rejected -> Usage.NONE;
    };
  }

  /** What it said about limits. */
  default Signals signals() {
    return Signals.NONE;
  }

  /** A real answer. */
  record Answered<T>(T value, Usage usage, Signals signals) implements Reply<T> {}

  /** Turned away by a rate limit; waiting helps. */
  record Throttled<T>(String message, Signals signals) implements Reply<T> {}

  /**
   * The provider has too much to do (529, 503, 500, ...); an account's limits are not the cause.
   */
  record Overloaded<T>(String message, Signals signals) implements Reply<T> {}

  /**
   * No reply at all: not reached, cut off, timed out.
   *
   * @param sent whether the provider may have seen, and billed, the attempt
   */
  record Broken<T>(String message, boolean sent) implements Reply<T> {}

  /** An answer began and did not end; what was produced is billed. */
  record CutShort<T>(String message, Usage usage, Signals signals) implements Reply<T> {}

  /**
   * Refused by the provider for good; the same attempt would be refused again.
   *
   * @param whole whether the whole lane is refused (spend cap, bad key), for so long if it said
   */
  record Rejected<T>(String message, String advice, boolean whole, Optional<Duration> until)
      implements Reply<T> {
    private static final Duration LONGEST = Duration.ofDays(366);

    /** A time that makes no sense is no time: nobody knows for how long. */
    public Rejected {
      until = until.filter(time -> time.isPositive() && time.compareTo(LONGEST) <= 0);
    }
  }

  static <T> Reply<T> answered(T value, Usage usage) {
    return new Answered<>(value, usage, Signals.NONE);
  }

  static <T> Reply<T> answered(T value, Usage usage, Signals signals) {
    return new Answered<>(value, usage, signals);
  }

  static <T> Reply<T> throttled(Signals signals) {
    return new Throttled<>("rate limited", signals);
  }

  static <T> Reply<T> rejected(String message, String advice) {
    return new Rejected<>(message, advice, false, Optional.empty());
  }
}
