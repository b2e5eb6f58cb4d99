package dev.flyball.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.forecast.Calibration;
import dev.flyball.forecast.Forecast;
import dev.flyball.forecast.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An estimate as programs read it; docs/estimate.md says what each field is. */
public final class EstimateJson {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION = 1;

  private EstimateJson() {}

  public static ObjectNode of(String input, Estimation estimation, String pricesVersion) {
    var node = JSON.createObjectNode().put("version", VERSION).put("input", input);
    var usage = estimation.usage();
    node.put("calls", estimation.calls())
        .put("inputTokens", usage.prompt())
        .put("outputTokens", usage.output());
    var steps = node.putArray("steps");
    estimation.steps().forEach(step -> step(steps.addObject(), step));
    llm(node.putObject("llm"), estimation.steps());
    embed(node.putObject("embed"), estimation.steps());
    money(node, "consumptionUsd", Step.consumption(estimation.steps()));
    money(node, "billedUsd", Step.billed(estimation.steps()));
    money(node, "mostUsd", estimation.most());
    node.put("pricesVersion", pricesVersion);
    var unpriced = node.putArray("unpriced");
    estimation.unpriced().forEach(unpriced::add);
    time(node.putObject("time").put("felt", estimation.felt()), estimation.forecast());
    node.put("unanswered", estimation.forecast().unanswered());
    calibration(node.putObject("calibration"), estimation);
    var assumes = node.putArray("assumes");
    estimation
        .lanes()
        .forEach((lane, assumed) -> lane(assumes.addObject(), lane.toString(), assumed));
    return node;
  }

  /** A forecast beside what became of it. */
  public static void compared(ObjectNode node, ForecastCheck.Compared compared) {
    node.put("p50Seconds", compared.median().toMillis() / 1e3)
        .put("p90Seconds", compared.ninth().toMillis() / 1e3)
        .put("timeError", Math.round(compared.timeError() * 1e3) / 1e3);
    compared.expected().ifPresent(each -> node.put("costUsd", each.decimal()));
    compared.costError().ifPresent(each -> node.put("costError", Math.round(each * 1e3) / 1e3));
    node.put("calibratedOn", compared.calibratedOn());
  }

  private static void step(ObjectNode node, Step step) {
    node.put("category", step.category().toString())
        .put("name", step.name())
        .put("model", step.model())
        .put("billingMode", step.mode().toString())
        .put("calls", step.calls());
    tokens(node, step.usage());
    money(node, "costUsd", step.cost());
    node.put("approximate", step.approximate());
  }

  private static void tokens(ObjectNode node, Usage usage) {
    node.put("inputTokens", usage.input())
        .put("outputTokens", usage.output())
        .put("cacheReadTokens", usage.cacheRead())
        .put("cacheCreationTokens", usage.cacheWrite());
  }

  private static void llm(ObjectNode node, List<Step> all) {
    var steps = all.stream().filter(step -> step.category() != Step.Category.EMBED).toList();
    tokens(node, sum(steps));
    money(node, "costUsd", Step.consumption(steps));
    var models = node.putObject("costByModel");
    steps.stream()
        .map(Step::model)
        .distinct()
        .forEach(
            model ->
                money(
                    models,
                    model,
                    Step.consumption(
                        steps.stream().filter(step -> step.model().equals(model)).toList())));
  }

  private static void embed(ObjectNode node, List<Step> all) {
    var steps = all.stream().filter(step -> step.category() == Step.Category.EMBED).toList();
    node.put("tokens", sum(steps).input());
    money(node, "costUsd", Step.consumption(steps));
    node.put("codeUnits", units(steps, "code")).put("textUnits", units(steps, "text"));
  }

  private static long units(List<Step> steps, String name) {
    return steps.stream().filter(step -> step.name().equals(name)).mapToLong(Step::calls).sum();
  }

  private static Usage sum(List<Step> steps) {
    return steps.stream().map(Step::usage).reduce(Usage.NONE, Usage::plus);
  }

  private static void time(ObjectNode node, Forecast forecast) {
    node.put("leastSeconds", seconds(forecast.least()));
    node.putObject("forecastSeconds")
        .put("p50", seconds(forecast.median()))
        .put("p90", seconds(forecast.ninth()));
    if (forecast.binding().isEmpty()) {
      node.putNull("binding");
      return;
    }
    var binding = forecast.binding().get();
    var to = node.putObject("binding").put("lane", binding.lane().toString());
    to.put("limit", binding.what());
    binding
        .limit()
        .ifPresent(
            limit ->
                to.put("amount", limit.stated())
                    .put("periodSeconds", seconds(limit.terms().dimension().period())));
    to.put("heldSeconds", seconds(binding.held()))
        .put("savedByTwiceSeconds", seconds(binding.saved()));
  }

  private static void calibration(ObjectNode node, Estimation estimation) {
    int runs = estimation.calibratedOn();
    node.put("source", runs > 0 ? "history" : "default").put("runs", runs);
    var models = node.putObject("models");
    estimation.models().forEach((model, known) -> model(models.putObject(model), known));
  }

  private static void model(ObjectNode node, Calibration known) {
    var habits = known.behaviour();
    node.put("runs", known.runs())
        .put("outputTokens", Math.round(habits.lengths().mean()))
        .put("firstTokenSeconds", seconds(habits.latency().first()))
        .put("perTokenSeconds", habits.latency().perToken().toNanos() / 1e9)
        .put("inputFactor", Math.round(known.inputFactor() * 1e3) / 1e3);
  }

  private static void lane(ObjectNode node, String name, Estimation.Lane assumed) {
    node.put("lane", name).put("from", assumed.from()).put("felt", assumed.limits().felt());
    var limits = node.putObject("limits");
    assumed
        .limits()
        .limits()
        .forEach(limit -> limits.put(limit.terms().dimension().toString(), limit.stated()));
    assumed.limits().inFlight().ifPresent(most -> limits.put("in_flight", most));
  }

  private static void money(ObjectNode node, String name, Optional<Cost> cost) {
    cost.ifPresentOrElse(known -> node.put(name, known.decimal()), () -> node.putNull(name));
  }

  private static double seconds(Duration time) {
    return Math.round(time.toNanos() / 1e6) / 1e3;
  }
}
