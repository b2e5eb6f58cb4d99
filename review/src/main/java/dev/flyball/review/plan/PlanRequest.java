package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.Tier;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The terms of a plan.
 *
 * @param lenses those that are asked, the most important first
 * @param mode instead of the one that fits
 * @param budget tokens in all, if they are limited
 * @param reserve the part of it that is kept back, in hundredths
 * @param samples how often everything is asked
 * @param tests how far tests are reviewed
 * @param purpose what somebody says that a change is for, beside its commits; may be empty
 * @param rooms what the model of each tier has room for, the question included
 */
public record PlanRequest(
    TokenMeasure measure,
    List<Lens> lenses,
    Optional<ReviewMode> mode,
    OptionalLong budget,
    int reserve,
    int samples,
    TestDepth tests,
    String purpose,
    Map<Tier, PromptRoom> rooms) {
  private static final int MOST_SAMPLES = 2;

  public PlanRequest {
    lenses = List.copyOf(lenses);
    rooms = Map.copyOf(rooms);
    if (lenses.isEmpty()) {
      throw new IllegalArgumentException("a review has at least one lens, but there was none");
    }
    if (samples < 1 || samples > MOST_SAMPLES) {
      throw new IllegalArgumentException(
          "everything is asked once or twice, but was to be %d times".formatted(samples));
    }
  }

  PromptRoom room(Tier tier) {
    var room = rooms.get(tier);
    if (room == null) {
      throw new IllegalStateException("there is room for each tier");
    }
    return room;
  }

  /** How far tests are reviewed. */
  public enum TestDepth {
    /** By the lenses that are for tests too. */
    LIGHT,
    /** By all but those that ask whether there are tests. */
    FULL,
    NONE;

    /** Whether a lens is asked about tests. */
    boolean asks(Lens lens) {
      return switch (this) {
        case LIGHT -> lens.reach().ofTests();
        case FULL -> !lens.context().contains(Lens.Context.TESTS);
        case NONE -> false;
      };
    }

    boolean asksAny() {
      return this != NONE;
    }

    /** Reads the value of {@code --tests}. */
    public static TestDepth of(String word) {
      for (var each : values()) {
        if (each.toString().equals(word)) {
          return each;
        }
      }
      throw new IllegalArgumentException("--tests must be light, full or none, not '" + word + "'");
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
