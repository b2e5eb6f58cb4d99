package dev.flyball.run;

import dev.flyball.call.LearnedLimits;
import dev.flyball.forecast.FollowUp;
import dev.flyball.forecast.Forecast;
import dev.flyball.history.History;
import dev.flyball.llm.ProviderCatalogue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The sources of what is assumed when a run is forecast.
 *
 * @param history where earlier runs are remembered, if they are
 * @param concurrency the most attempts at one time, where somebody said so
 * @param cache whether providers are taken to cache prompts
 * @param outputTokens how long answers are, where that is known
 * @param told whether the scheduler will be told the account's limits, or has to find out
 */
public record ForecastInputs(
    Providers providers,
    ProviderCatalogue catalogue,
    LearnedLimits learned,
    Optional<History> history,
    OptionalInt concurrency,
    boolean cache,
    OptionalLong outputTokens,
    boolean told) {

  /** Rehearses a workload for somebody who waits for it. */
  public Estimation estimate(Workload workload) {
    return Estimation.of(workload, whatIf(), known(), Forecast::atOnce);
  }

  /** Rehearses a workload beside other work. */
  public Estimation estimateAside(Workload workload) {
    return Estimation.of(workload, whatIf(), known(), Forecast::of);
  }

  /** What the last runs of a command had after all their other calls, the latest first. */
  public List<FollowUp.Past> followed(String command, String model, String part) {
    return history
        .map(each -> RunRecorder.followed(each, command, model, part, providers.origin()))
        .orElse(List.of());
  }

  public Estimation.WhatIf whatIf() {
    return new Estimation.WhatIf(
        providers.account(), providers::assumed, concurrency, cache, outputTokens);
  }

  public Estimation.Known known() {
    var origin = providers.origin();
    return new Estimation.Known(
        catalogue,
        learned,
        (model, part) ->
            history.map(each -> RunRecorder.of(each, model, part, origin)).orElse(List.of()),
        providers.simulated(),
        told);
  }
}
