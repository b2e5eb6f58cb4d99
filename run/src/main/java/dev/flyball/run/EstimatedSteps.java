package dev.flyball.run;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.forecast.BillingMode;
import dev.flyball.forecast.Calibration;
import dev.flyball.forecast.CallPlan;
import dev.flyball.forecast.Forecast;
import dev.flyball.forecast.PlannedCall;
import dev.flyball.forecast.Step;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.price.Price;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What each share of a workload is expected to use, and what that costs. */
final class EstimatedSteps {
  private final Workload workload;
  private final List<PlannedCall> calls;
  private final CallPlan rehearsed;
  private final Forecast forecast;
  private final Map<String, Calibration> models;
  private final Estimation.Known known;
  private final Set<String> cached = new HashSet<>();

  /**
   * Of a workload.
   *
   * @param calls its calls as they are planned, in its order
   * @param rehearsed those that the forecast was made from
   */
  EstimatedSteps(
      Workload workload,
      List<PlannedCall> calls,
      CallPlan rehearsed,
      Forecast forecast,
      Map<String, Calibration> models,
      Estimation.Known known) {
    this.workload = workload;
    this.calls = calls;
    this.rehearsed = rehearsed;
    this.forecast = forecast;
    this.models = models;
    this.known = known;
  }

  /** One for each share, in their order. */
  List<Step> all() {
    var steps = new ArrayList<Step>();
    workload.shares().forEach(share -> steps.add(step(share)));
    return steps;
  }

  /** The forecast knows the length of a model's answers; the rest is known of each call. */
  private Step step(Workload.Share share) {
    double perAnswer = perAnswer(Estimation.key(share.model(), share.part()));
    boolean writes = share.price().map(Price::chargesWrites).orElse(true);
    int planned = 0;
    double times = 0;
    boolean later = false;
    double input = 0;
    double read = 0;
    double written = 0;
    double output = 0;
    var cost = Optional.of(0.0);
    for (int i = 0; i < calls.size(); i++) {
      var one = workload.calls().get(i);
      if (!isOf(one, share)) {
        continue;
      }
      var call = calls.get(i);
      var used = used(call, Math.round(perAnswer), writes);
      double often = one.later().orElse(1);
      planned++;
      times += often;
      later |= one.later().isPresent();
      input += often * used.input();
      read += often * used.cacheRead();
      written += often * used.cacheWrite();
      output +=
          often * (call.output().isPresent() ? (double) call.output().getAsLong() : perAnswer);
      cost =
          cost.flatMap(
              sum ->
                  share
                      .price()
                      .flatMap(price -> price.cost(used))
                      .map(each -> sum + often * each.micros()));
    }
    double scale = planned == 0 ? 1 : (double) share.lines() / planned;
    return new Step(
        category(share),
        share.embeds() ? "text" : share.part(),
        share.model(),
        known.simulated() ? BillingMode.LOCAL : mode(share.provider(), known.catalogue()),
        later ? Math.max(1, Math.round(times)) : share.lines(),
        new Usage(
            Math.round(input * scale),
            Math.round(read * scale),
            Math.round(written * scale),
            Math.round(output * scale),
            Cost.NOTHING),
        cost.map(sum -> new Cost(Math.round(sum * scale))),
        later);
  }

  private static Step.Category category(Workload.Share share) {
    return share.embeds()
        ? Step.Category.EMBED
        : share.part().isEmpty() ? Step.Category.BATCH : Step.Category.AXIS;
  }

  /** Of those answers whose length nobody knew before; of what was not rehearsed, the mean. */
  private double perAnswer(String model) {
    long guessed = 0;
    long certain = 0;
    boolean any = false;
    for (var call : rehearsed.calls()) {
      if (call.model().equals(model)) {
        any = true;
        guessed += call.output().isEmpty() ? 1 : 0;
        certain += call.output().orElse(0);
      }
    }
    if (!any) {
      var of = models.get(model);
      return of == null ? 0 : of.behaviour().lengths().mean();
    }
    double scale = (double) rehearsed.total() / Math.max(1, rehearsed.calls().size());
    double all = (double) forecast.usage().getOrDefault(model, Usage.NONE).output();
    return guessed == 0 ? 0 : Math.max(0, all - certain * scale) / (guessed * scale);
  }

  private static boolean isOf(Workload.Planned one, Workload.Share share) {
    return one.lane().equals(share.lane())
        && one.model().equals(share.model())
        && one.part().equals(share.part())
        && one.embeds() == share.embeds();
  }

  private Usage used(PlannedCall call, long output, boolean writesAreCharged) {
    long shared = call.prefix().map(PlannedCall.Prefix::tokens).orElse(0L);
    boolean first = call.prefix().isPresent() && cached.add(call.prefix().get().name());
    return new Usage(
        call.input() - (first && !writesAreCharged ? 0 : shared),
        first ? 0 : shared,
        first && writesAreCharged ? shared : 0,
        call.output().orElse(output),
        Cost.NOTHING);
  }

  private static BillingMode mode(String provider, ProviderCatalogue catalogue) {
    return catalogue
        .provider(provider)
        .map(listing -> BillingMode.valueOf(listing.mode().toUpperCase(Locale.ROOT)))
        .orElse(BillingMode.API);
  }
}
