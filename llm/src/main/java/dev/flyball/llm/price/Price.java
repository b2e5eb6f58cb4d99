package dev.flyball.llm.price;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The price that one provider takes for one model, between two days.
 *
 * @param batchInput what a million tokens cost in the provider's own batches, which we do not use
 * @param longPrompts what is taken instead for the whole of a call whose prompt is long
 * @param validTo the last day, in UTC
 */
public record Price(
    String provider,
    String model,
    Tariff tariff,
    Optional<LongPrompts> longPrompts,
    Optional<Cost> batchInput,
    Optional<Cost> batchOutput,
    ModelLimits limits,
    Optional<LocalDate> validFrom,
    Optional<LocalDate> validTo,
    Evidence evidence) {

  /** Prices of prompts of more than so many tokens. */
  public record LongPrompts(long above, Tariff tariff) {}

  /**
   * The sizes of a model, in tokens, as far as they are listed.
   *
   * @param smallestPrefix from which on a prompt's beginning can be cached
   */
  public record ModelLimits(
      OptionalLong smallestPrefix, OptionalLong context, OptionalLong maxOutput) {}

  /**
   * The reason to believe a price.
   *
   * @param source who said so
   * @param note what to know before it is believed; may be empty
   */
  public record Evidence(String source, Confidence confidence, String note) {}

  /** The kind of source that a price is from. */
  public enum Confidence {
    /** The provider's own pages. */
    OFFICIAL,
    /** Somebody who read them. */
    SECONDARY,
    /** A conclusion from other prices. */
    INFERRED,
    /** The user's own configuration. */
    OWN
  }

  /**
   * What one attempt cost, to a millionth of a dollar, rounded up once; empty if it used tokens of
   * a kind whose price is not known, as {@link Tariff} says.
   */
  public Optional<Cost> cost(Usage usage) {
    return of(usage.prompt()).cost(usage);
  }

  /** Whether what is written to a cache has a price of its own; where it has none, it is input. */
  public boolean chargesWrites() {
    return tariff.cacheWrite5m().isPresent() || tariff.cacheWrite1h().isPresent();
  }

  /**
   * The most that one attempt can cost, for a budget to hold.
   *
   * @param caching whether the prompt may be written to a cache, which may be dearer than input;
   *     then it is supposed to be, all of it
   */
  public Optional<Cost> most(long inputTokens, long outputTokens, boolean caching) {
    return of(inputTokens).most(inputTokens, outputTokens, caching);
  }

  private Tariff of(long prompt) {
    return longPrompts
        .filter(than -> prompt > than.above())
        .map(LongPrompts::tariff)
        .orElse(tariff);
  }

  boolean isValid(LocalDate day) {
    return validFrom.map(first -> !day.isBefore(first)).orElse(true)
        && validTo.map(last -> !day.isAfter(last)).orElse(true);
  }

  /** Who and what, as people write it. */
  public String name() {
    return provider + " " + model;
  }
}
