package dev.flyball.meaning;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Likeness;
import dev.flyball.review.finding.Words;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The likeness of claims by what they mean, or by their words where there is no model that can
 * tell.
 *
 * <p>Two things count in equal parts: how near the claims are as a whole, and how near the title of
 * one is to the message of the other, because what one calls it, the other describes. What is
 * enough was chosen on labelled pairs, for precision: a claim that is merged by mistake is not
 * seen, and one that is not merged is seen twice. Claims about neighbours of one kind, such as two
 * tests that are missing, are still often taken for the same.
 *
 * <p>Each text is looked at once and remembered as long as this object is: it is made for one
 * merge. The model is loaded when the first text is looked at, once in a process. Safe for use by
 * threads.
 */
public final class Meaning implements Likeness {
  private static final double ENOUGH = 0.57;

  private final Function<String, float[]> model;
  private final Likeness words = new Words();
  private final Map<String, float[]> seen = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

  public Meaning() {
    // A method reference would load the class here, where nobody could catch that it is not there.
    this(text -> MiniLm.vector(text));
  }

  /** With a model that gives each text its direction, a vector of length 1. */
  Meaning(Function<String, float[]> model) {
    this.model = model;
  }

  @Override
  public double of(Claim one, Claim other) {
    if (failure.get() == null) {
      try {
        return Likeness.scaled(measured(one, other), ENOUGH);
      } catch (RuntimeException | LinkageError | AssertionError broken) {
        failure.compareAndSet(null, reason(broken));
      }
    }
    return words.of(one, other);
  }

  /** Why words were compared and not meanings, if that has happened. */
  public Optional<String> failure() {
    return Optional.ofNullable(failure.get());
  }

  private double measured(Claim one, Claim other) {
    double whole = near(whole(one), whole(other));
    double explained =
        Math.max(near(one.title(), other.message()), near(other.title(), one.message()));
    return (whole + explained) / 2;
  }

  private static String whole(Claim claim) {
    return claim.title() + ". " + claim.message();
  }

  /** The cosine of the angle between two texts. */
  private double near(String one, String other) {
    var a = seen.computeIfAbsent(one, model);
    var b = seen.computeIfAbsent(other, model);
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static String reason(Throwable broken) {
    var root = broken;
    for (var cause = root.getCause(); cause != null; cause = cause.getCause()) {
      root = cause;
    }
    return root.toString();
  }
}
