package dev.flyball.run;

import dev.flyball.call.Cost;
import dev.flyball.fleet.FleetPlace;
import dev.flyball.fleet.RedisBudget;
import dev.flyball.history.History;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.price.PriceList;
import dev.flyball.run.config.ConfigFiles;
import dev.flyball.scheduler.Flyball.SharedBudget;
import dev.flyball.scheduler.SharedLimit;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The front door: everything that a run of any face starts from. Providers and their keys, prices,
 * what was learned of limits, and the history of runs, as the environment and the files of settings
 * say.
 *
 * <p>It may be used by one run after the other, and by several at a time. Closed, it closes
 * connections and the history.
 */
public final class RunSetup implements AutoCloseable {
  private final Builder from;
  private final ProviderCatalogue catalogue;
  private final PriceList prices;
  private final Providers providers;
  private final HistoryHandle history;
  private final LearnedStore store;
  private final RunFleet fleet;
  private Optional<RedisBudget> budget = Optional.empty();

  private RunSetup(Builder from) {
    this.from = from;
    this.catalogue = from.files.catalogue();
    this.prices = from.files.prices();
    this.providers =
        new Providers(
            from.choice,
            from.environment,
            catalogue,
            from.local,
            from.time::wall,
            from.sendsNothing);
    this.history = HistoryHandle.of(from.history);
    this.store = new LearnedStore(from.environment, from.warnings, from.time);
    boolean shares = !from.sendsNothing && !providers.simulated();
    this.fleet =
        shares
            ? RunFleet.of(from.fleet, from, () -> !store.read().lanes().lanes().isEmpty())
            : RunFleet.NONE;
    if (from.budgetScope.isPresent() && !(from.fleet instanceof FleetPlace.AtRedis)) {
      throw new BadSettings(
          "--budget-scope needs a Redis where the budget is kept: --fleet redis://host:6379");
    }
  }

  /** For an environment (keys, addresses, folders) and files of settings. */
  public static Builder of(Map<String, String> environment, ConfigFiles files) {
    return new Builder(environment, files);
  }

  /** What is not said has a default: no history, the wall clock, and nobody who is warned. */
  public static final class Builder {
    private final Map<String, String> environment;
    private final ConfigFiles files;
    private ProviderChoice choice = ProviderChoice.open();
    private LocalProvider local = LocalProvider.NONE;
    private Optional<HistoryLocation> history = Optional.empty();
    private Consumer<String> warnings = what -> {};
    private Time time = Time.system();
    private FleetPlace fleet = new FleetPlace.Nowhere();
    private Optional<String> budgetScope = Optional.empty();
    private boolean sendsNothing;

    private Builder(Map<String, String> environment, ConfigFiles files) {
      this.environment = environment;
      this.files = files;
    }

    /** Which provider answers. */
    public Builder provider(ProviderChoice chosen) {
      choice = chosen;
      return this;
    }

    /** Who answers where simulated answers are asked for. */
    public Builder local(LocalProvider provider) {
      local = provider;
      return this;
    }

    /** Where runs are remembered, if they are. */
    public Builder history(Optional<HistoryLocation> place) {
      history = place;
      return this;
    }

    /** Is told, in a sentence, what went wrong and stops nothing. */
    public Builder warnings(Consumer<String> listener) {
      warnings = listener;
      return this;
    }

    /** Where it meets others that use the same limits; nowhere, if this is not said. */
    public Builder fleet(FleetPlace place) {
      fleet = place;
      return this;
    }

    /** The name under which others spend the same money, if they do. */
    public Builder budgetScope(Optional<String> name) {
      budgetScope = name;
      return this;
    }

    Map<String, String> environment() {
      return environment;
    }

    Time time() {
      return time;
    }

    void warn(String what) {
      warnings.accept(what);
    }

    public Builder time(Time other) {
      time = other;
      return this;
    }

    /** For forecasts: no key is needed, and nothing is sent. */
    public Builder sendsNothing() {
      sendsNothing = true;
      return this;
    }

    /** Refuses, with {@link BadSettings}, what cannot be. */
    public RunSetup open() {
      return new RunSetup(this);
    }
  }

  public Map<String, String> environment() {
    return from.environment;
  }

  public ConfigFiles files() {
    return from.files;
  }

  /** What is known of providers. */
  public ProviderCatalogue catalogue() {
    return catalogue;
  }

  /** What models cost. */
  public PriceList prices() {
    return prices;
  }

  public Providers providers() {
    return providers;
  }

  public HistoryHandle history() {
    return history;
  }

  public Time time() {
    return from.time;
  }

  /** The limit that a scheduler of this run keeps together with other processes, if it does. */
  public Optional<SharedLimit> sharedLimit() {
    return fleet.limit();
  }

  /**
   * The budget that a scheduler of this run spends together with other processes, if it does.
   * Refuses, with {@link BadSettings}, a Redis that cannot be used.
   *
   * @param limit how much it is
   */
  Optional<SharedBudget> sharedBudget(Cost limit) {
    if (from.budgetScope.isPresent()
        && from.fleet instanceof FleetPlace.AtRedis redis
        && !from.sendsNothing) {
      try {
        var opened = RedisBudget.at(redis, from.budgetScope.get(), limit.micros(), from.warnings);
        budget.ifPresent(RedisBudget::close);
        budget = Optional.of(opened);
        return Optional.of(opened);
      } catch (IOException refused) {
        throw new BadSettings("--budget-scope: " + refused.getMessage());
      }
    }
    return Optional.empty();
  }

  /** A new sum of what calls cost. */
  public CostMeter costs() {
    return new CostMeter(prices, catalogue, providers.simulated());
  }

  /** What earlier runs have learned; of simulated providers nothing is kept. */
  public LearnedFile learned() {
    return providers.simulated() ? LearnedFile.NOTHING : store.read();
  }

  /** Keeps what a run has learned, for the next. */
  public void keep(LearnedFile learned) {
    if (!providers.simulated()) {
      store.keep(learned);
    }
  }

  /** Keeps what a run has learned so far, every few seconds, in case that it is killed. */
  public void keepNowAndThen(Supplier<LearnedFile> learned) {
    if (!providers.simulated()) {
      store.keepNowAndThen(learned);
    }
  }

  /** The sources of a forecast of a run that starts from here, as it would really run. */
  public ForecastInputs forecast(
      LearnedFile learned, Optional<History> past, OptionalInt concurrency) {
    return forecast(
        learned, past, concurrency, true, OptionalLong.empty(), providers.profile().isPresent());
  }

  /** The same, if some things were otherwise. */
  public ForecastInputs forecast(
      LearnedFile learned,
      Optional<History> past,
      OptionalInt concurrency,
      boolean cache,
      OptionalLong outputTokens,
      boolean told) {
    return new ForecastInputs(
        providers, catalogue, learned.lanes(), past, concurrency, cache, outputTokens, told);
  }

  @Override
  public void close() {
    budget.ifPresent(RedisBudget::close);
    fleet.close();
    providers.close();
    history.close();
  }
}
