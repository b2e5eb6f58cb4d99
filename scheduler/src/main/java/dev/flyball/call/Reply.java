package dev.flyball.call;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * The result of one attempt.
 *
 * @param <T> what an answer is
 */
public sealed interface Reply<T> {
  /** The cases of a reply, where its contents do not matter. */
  enum Kind {
    /** A real answer. */
    ANSWERED("Answered"),
    /** Turned away by a rate limit. */
    THROTTLED("Throttled"),
    /** The provider has too much to do. */
    OVERLOADED("Overloaded"),
    /** No reply at all. */
    BROKEN("Broken"),
    /** An answer that did not end. */
    CUT_SHORT("CutShort"),
    /** Refused for good. */
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

  /** {@return which case this is} */
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
   * {@return what an attempt of that size has used, or may have used: what the reply says, and the
   * most there can be where it was sent and nobody knows}
   *
   * @param estimate the call's size
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
      case Rejected<T> rejected -> rejected.usage();
    };
  }

  /**
   * {@return the same, with another answer where there is one}
   *
   * @param <R> what the other answer is
   * @param other makes it of this one
   */
  default <R> Reply<R> map(Function<? super T, ? extends R> other) {
    return switch (this) {
      case Answered<T>(var value, var usage, var signals) ->
          new Answered<>(other.apply(value), usage, signals);
      case Throttled<T>(var message, var signals) -> new Throttled<>(message, signals);
      case Overloaded<T>(var message, var signals) -> new Overloaded<>(message, signals);
      case Broken<T>(var message, var sent) -> new Broken<>(message, sent);
      case CutShort<T>(var message, var usage, var signals) ->
          new CutShort<>(message, usage, signals);
      case Rejected<T>(var message, var advice, var whole, var until, var usage) ->
          new Rejected<>(message, advice, whole, until, usage);
    };
  }

  /** {@return what it said about limits} */
  default Signals signals() {
    return Signals.NONE;
  }

  /**
   * A real answer.
   *
   * @param <T> what an answer is
   * @param value the answer
   * @param usage what it has used
   * @param signals what it said about limits
   */
  record Answered<T>(T value, Usage usage, Signals signals) implements Reply<T> {}

  /**
   * Turned away by a rate limit; waiting helps.
   *
   * @param <T> what an answer would have been
   * @param message what the provider said
   * @param signals what it said about limits
   */
  record Throttled<T>(String message, Signals signals) implements Reply<T> {}

  /**
   * The provider has too much to do (529, 503, 500, ...); an account's limits are not the cause.
   *
   * @param <T> what an answer would have been
   * @param message what the provider said
   * @param signals what it said about limits
   */
  record Overloaded<T>(String message, Signals signals) implements Reply<T> {}

  /**
   * No reply at all: not reached, cut off, timed out.
   *
   * @param <T> what an answer would have been
   * @param message what went wrong
   * @param sent whether the provider may have seen, and billed, the attempt
   */
  record Broken<T>(String message, boolean sent) implements Reply<T> {}

  /**
   * An answer began and did not end; what was produced is billed.
   *
   * @param <T> what an answer would have been
   * @param message what went wrong
   * @param usage what was produced until then
   * @param signals what it said about limits
   */
  record CutShort<T>(String message, Usage usage, Signals signals) implements Reply<T> {}

  /**
   * Refused by the provider for good; the same attempt would be refused again.
   *
   * @param <T> what an answer would have been
   * @param message what the provider said
   * @param advice what to do
   * @param whole whether the whole lane is refused (spend cap, bad key)
   * @param until for how long, if it said; a time that makes no sense is no time
   * @param usage what it has used all the same, as an answer that cannot be taken has
   */
  record Rejected<T>(
      String message, String advice, boolean whole, Optional<Duration> until, Usage usage)
      implements Reply<T> {
    private static final Duration LONGEST = Duration.ofDays(366);

    /** Drops a time that makes no sense: nobody knows for how long. */
    public Rejected {
      until = until.filter(time -> time.isPositive() && time.compareTo(LONGEST) <= 0);
    }

    /**
     * Refused, and nothing was used.
     *
     * @param message what the provider said
     * @param advice what to do
     * @param whole whether the whole lane is refused
     * @param until for how long, if it said
     */
    public Rejected(String message, String advice, boolean whole, Optional<Duration> until) {
      this(message, advice, whole, until, Usage.NONE);
    }
  }

  /**
   * {@return a real answer that said nothing about limits}
   *
   * @param <T> what an answer is
   * @param value the answer
   * @param usage what it has used
   */
  static <T> Reply<T> answered(T value, Usage usage) {
    return new Answered<>(value, usage, Signals.NONE);
  }

  /**
   * {@return a real answer}
   *
   * @param <T> what an answer is
   * @param value the answer
   * @param usage what it has used
   * @param signals what it said about limits
   */
  static <T> Reply<T> answered(T value, Usage usage, Signals signals) {
    return new Answered<>(value, usage, signals);
  }

  /**
   * {@return a reply that was turned away by a rate limit}
   *
   * @param <T> what an answer would have been
   * @param signals what it said about limits
   */
  static <T> Reply<T> throttled(Signals signals) {
    return new Throttled<>("rate limited", signals);
  }

  /**
   * {@return a reply that refuses the call, and not the lane, for good}
   *
   * @param <T> what an answer would have been
   * @param message what the provider said
   * @param advice what to do
   */
  static <T> Reply<T> rejected(String message, String advice) {
    return new Rejected<>(message, advice, false, Optional.empty());
  }
}
