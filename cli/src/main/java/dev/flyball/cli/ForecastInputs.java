package dev.flyball.cli;

import dev.flyball.batch.Batch;
import dev.flyball.batch.Workload;
import dev.flyball.call.LearnedLimits;
import dev.flyball.forecast.Forecast;
import dev.flyball.history.History;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.run.BadInput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * How a file's run is looked ahead to: from where what is assumed of it comes.
 *
 * @param history where earlier runs are remembered, if they are
 * @param told whether the scheduler will be told the account's limits, or has to find out
 */
record ForecastInputs(
    ProviderOptions provider,
    ProviderCatalogue catalogue,
    LearnedLimits memory,
    Optional<History> history,
    OptionalInt concurrency,
    boolean cache,
    OptionalLong outputTokens,
    boolean told) {

  /**
   * Reads what is ahead and rehearses it.
   *
   * @param mostRead of more lines than these only some are read, and stand for the others
   * @param told how many lines have been read so far
   */
  Estimation on(Batch batch, long mostRead, LongConsumer told) throws IOException, BadInput {
    return Estimation.of(batch.ahead(mostRead, told), whatIf(), known(), Forecast::of);
  }

  /** Rehearses what is ahead, for somebody who waits for it. */
  Estimation on(Workload ahead) {
    return Estimation.of(ahead, whatIf(), known(), Forecast::atOnce);
  }

  Estimation.WhatIf whatIf() {
    return new Estimation.WhatIf(
        provider.account(), provider::assumed, concurrency, cache, outputTokens);
  }

  Estimation.Known known() {
    var origin = provider.simulated() ? AnswerOrigin.SIMULATED : AnswerOrigin.REAL;
    return new Estimation.Known(
        catalogue,
        memory,
        model -> history.map(each -> RunRecorder.of(each, model, origin)).orElse(List.of()),
        provider.simulated(),
        told);
  }
}
