package dev.flyball.forecast;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One part of a plan that uses a model.
 *
 * @param name empty where its category has only one
 * @param usage expected tokens; {@code input} excludes what is cached
 * @param cost by the list price, whoever pays; empty where the price is unknown
 * @param approximate whether it is only a rule of thumb
 */
public record Step(
    Category category,
    String name,
    String model,
    BillingMode mode,
    long calls,
    Usage usage,
    Optional<Cost> cost,
    boolean approximate) {

  /** The purpose of a step, in the order in which steps run. */
  public enum Category {
    /** The lines of a file of prompts. */
    BATCH,
    /** One lens on all files; the word is the one that the format has always had. */
    AXIS,
    DELIBERATION,
    EMBED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** What all of them would cost by the token; empty where a price is unknown. */
  public static Optional<Cost> consumption(List<Step> steps) {
    return sum(steps);
  }

  /** What is really paid: only what is paid by the token. */
  public static Optional<Cost> billed(List<Step> steps) {
    return sum(steps.stream().filter(step -> step.mode() == BillingMode.API).toList());
  }

  private static Optional<Cost> sum(List<Step> steps) {
    return steps.stream().anyMatch(step -> step.cost().isEmpty())
        ? Optional.empty()
        : Optional.of(
            steps.stream()
                .map(step -> step.cost().orElse(Cost.NOTHING))
                .reduce(Cost.NOTHING, Cost::plus));
  }
}
