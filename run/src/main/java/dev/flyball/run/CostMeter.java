package dev.flyball.run;

import dev.flyball.call.Cost;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.price.Price;
import dev.flyball.llm.price.PriceList;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The meter of what the calls of one run cost: each model's price on the day it is asked, and the
 * sum.
 */
public final class CostMeter {
  /**
   * What was spent so far, by a list of prices.
   *
   * @param priced the sum of what has a price
   * @param unpricedCalls those whose cost is not known
   * @param unpriced which models these were, and what to do
   * @param pricesVersion which list it was
   */
  public record Sum(Cost priced, long unpricedCalls, List<String> unpriced, String pricesVersion) {
    /** The sum, if everything has a price. */
    public Optional<Cost> known() {
      return unpricedCalls == 0 ? Optional.of(priced) : Optional.empty();
    }
  }

  private static final int MOST_NAMED = 20;

  private record Item(String provider, String model, LocalDate day) {}

  private final PriceList prices;
  private final ProviderCatalogue catalogue;
  private final boolean simulated;
  private final Map<Item, PriceList.Found> found = new ConcurrentHashMap<>();
  private final AtomicLong micros = new AtomicLong();
  private final AtomicLong unpricedCalls = new AtomicLong();
  private final ConcurrentSkipListSet<String> unpriced = new ConcurrentSkipListSet<>();

  public CostMeter(PriceList prices, ProviderCatalogue catalogue, boolean simulated) {
    this.prices = prices;
    this.catalogue = catalogue;
    this.simulated = simulated;
  }

  /** What a provider takes for a model. */
  public Optional<Price> price(String provider, String model, Instant at) {
    return found(provider, model, at) instanceof PriceList.Found.Known(var price)
        ? Optional.of(price)
        : Optional.empty();
  }

  private PriceList.Found found(String provider, String model, Instant at) {
    var day = LocalDate.ofInstant(at, ZoneOffset.UTC);
    return found.computeIfAbsent(new Item(provider, model, day), item -> find(provider, model, at));
  }

  /**
   * A server that is known only by its address has the price of whoever alone has the model; a
   * provider that is known by its name has no price but its own.
   */
  private PriceList.Found find(String provider, String model, Instant at) {
    boolean named = catalogue.provider(provider).isPresent() || prices.lists(provider);
    var own = named ? prices.find(provider, model, at) : new PriceList.Found.Unknown();
    boolean others = !named || (simulated && own instanceof PriceList.Found.Unknown);
    return others ? prices.find(model, at) : own;
  }

  /** What to say of a model whose price, or a part of it, is not known. */
  public String unknown(String provider, String model, Instant at) {
    var add = "add it under prices: in your config.yaml";
    return "unknown price for "
        + model
        + switch (found(provider, model, at)) {
          case PriceList.Found.Known known -> ": the list has not all of it; " + add;
          case PriceList.Found.Unknown unknown -> " at " + provider + ": " + add;
          case PriceList.Found.Ambiguous(var candidates) ->
              ": it is at "
                  + candidates.stream().map(Price::provider).collect(Collectors.joining(", "))
                  + "; say which with --provider, or "
                  + add;
        };
  }

  public void add(Cost cost) {
    micros.addAndGet(cost.micros());
  }

  /** A call whose cost is not known, or not all of it. */
  public void addUnpriced(String why) {
    unpricedCalls.incrementAndGet();
    if (unpriced.size() < MOST_NAMED) {
      unpriced.add(why);
    }
  }

  public Sum costs() {
    return new Sum(
        new Cost(micros.get()), unpricedCalls.get(), List.copyOf(unpriced), prices.version());
  }
}
