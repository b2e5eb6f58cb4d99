package dev.flyball.cli.screen;

import static dev.flyball.cli.screen.Terminal.Colour.BOLD;
import static dev.flyball.cli.screen.Terminal.Colour.CYAN;
import static dev.flyball.cli.screen.Terminal.Colour.DIM;
import static dev.flyball.cli.screen.Terminal.Colour.MAGENTA;

import dev.flyball.call.Cost;
import dev.flyball.call.DurationText;
import dev.flyball.call.Usage;
import dev.flyball.forecast.AssumedLimits;
import dev.flyball.forecast.BillingMode;
import dev.flyball.forecast.Forecast;
import dev.flyball.forecast.Step;
import dev.flyball.forecast.TokenCount;
import dev.flyball.run.Estimation;
import dev.flyball.run.ForecastCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** An estimate as people see it. */
public final class EstimatePage {
  private final Terminal terminal;

  public EstimatePage(Terminal terminal) {
    this.terminal = terminal;
  }

  public List<String> lines(String title, Estimation estimation, String pricesVersion) {
    var lines = new ArrayList<String>();
    lines.add(
        "%s  %,d %s; nothing is sent"
            .formatted(
                terminal.paint(BOLD, title),
                estimation.calls(),
                estimation.calls() == 1 ? "call" : "calls"));
    if (estimation.calls() == 0) {
      return lines;
    }
    lines.add("");
    lines.addAll(table(estimation).lines(head -> terminal.paint(DIM, head)));
    lines.add("");
    lines.add(money(estimation, pricesVersion));
    estimation.unpriced().forEach(why -> lines.add("        " + terminal.paint(MAGENTA, why)));
    lines.add(time(estimation));
    estimation
        .forecast()
        .binding()
        // Slots that are still opening hold nothing back that could be had.
        .filter(what -> what.limit().isPresent() || isWorthSaying(what.saved()))
        .ifPresent(what -> lines.add(binding(what)));
    if (estimation.forecast().unanswered() > 0) {
      lines.add(
          label("lost")
              + terminal.paint(
                  MAGENTA,
                  "%,d are larger than a limit and would not be answered"
                      .formatted(estimation.forecast().unanswered())));
    }
    lines.add("");
    lines.add(terminal.paint(DIM, "assumed"));
    assumptions(lines, estimation);
    return lines;
  }

  private static TextTable table(Estimation estimation) {
    boolean cached = estimation.steps().stream().anyMatch(step -> step.usage().cacheWrite() > 0);
    boolean modes = estimation.steps().stream().anyMatch(step -> step.mode() != BillingMode.API);
    boolean lenses =
        estimation.steps().stream().anyMatch(step -> step.category() == Step.Category.AXIS);
    var table = lenses ? new TextTable().left("lens").left("model") : new TextTable().left("model");
    table.right("calls").right("input").right("output");
    if (cached) {
      table.right("cache read").right("cache write");
    }
    table.right("cost");
    if (modes) {
      table.left("paid");
    }
    for (var step : estimation.steps()) {
      var name = step.category() == Step.Category.EMBED ? step.model() + " (embeds)" : step.model();
      var row = row(name, step.calls(), step.usage(), cached, money(step.cost()));
      if (lenses) {
        row.addFirst(step.name());
      }
      if (modes) {
        row.add(step.mode().toString());
      }
      table.row(row.toArray(String[]::new));
    }
    if (estimation.steps().size() > 1) {
      var sum = money(Step.consumption(estimation.steps()));
      var row = row(lenses ? "" : "all", estimation.calls(), estimation.usage(), cached, sum);
      if (lenses) {
        row.addFirst("all");
      }
      if (modes) {
        row.add("");
      }
      table.row(row.toArray(String[]::new));
    }
    return table;
  }

  private static List<String> row(
      String name, long calls, Usage usage, boolean cached, String cost) {
    var row = new ArrayList<>(List.of(name, "%,d".formatted(calls)));
    row.add(TokenCount.about(usage.input()));
    row.add(TokenCount.about(usage.output()));
    if (cached) {
      row.add(TokenCount.about(usage.cacheRead()));
      row.add(TokenCount.about(usage.cacheWrite()));
    }
    row.add(cost);
    return row;
  }

  private static String money(Optional<Cost> cost) {
    return cost.map(Cost::shown).orElse("unknown price");
  }

  private String money(Estimation estimation, String pricesVersion) {
    var consumption = Step.consumption(estimation.steps());
    var billed = Step.billed(estimation.steps());
    var said =
        consumption.isPresent() && consumption.equals(billed)
            ? "about " + consumption.get().shown()
            : billed.isPresent() && consumption.isPresent()
                ? "about %s billed; %s at list prices"
                    .formatted(billed.get().shown(), consumption.get().shown())
                : "unknown";
    return label("cost")
        + terminal.paint(BOLD, said)
        + estimation.most().map(most -> ", at most " + most.shown() + " without retries").orElse("")
        + terminal.paint(DIM, " (prices of " + pricesVersion + ")");
  }

  private String time(Estimation estimation) {
    var forecast = estimation.forecast();
    return label("time")
        + terminal.paint(BOLD, "about " + words(forecast.median()))
        + ", 90 %% of runs under %s; minimum %s"
            .formatted(
                words(forecast.ninth()),
                estimation.felt()
                    ? "about " + words(forecast.least()) + " (limits are estimated from 429s)"
                    : words(forecast.least()));
  }

  private String binding(Forecast.Binding binding) {
    var limit =
        binding
            .limit()
            .map(
                each ->
                    " (%,d %s)".formatted(each.stated(), period(each.terms().dimension().period())))
            .orElse("");
    return label("limit")
        + "%s waits for %s%s for %s of the time"
            .formatted(binding.lane(), binding.what(), limit, words(binding.held()))
        + (isWorthSaying(binding.saved())
            ? "; twice the limit would save " + words(binding.saved())
            : "; a higher limit would save nothing");
  }

  private static boolean isWorthSaying(Duration saved) {
    return saved.toMillis() >= 50;
  }

  private void assumptions(List<String> lines, Estimation estimation) {
    estimation
        .lanes()
        .forEach(
            (lane, assumed) ->
                lines.add(
                    "  %s  %s%s"
                        .formatted(
                            terminal.paint(CYAN, lane.toString()),
                            assumed.from(),
                            limits(assumed.limits()))));
    estimation
        .models()
        .forEach(
            (model, known) -> {
              var habits = known.behaviour();
              lines.add(
                  "  %s  answers of about %,.0f tokens in %s (%s)"
                      .formatted(
                          terminal.paint(CYAN, model),
                          habits.lengths().mean(),
                          words(seconds(habits.latency(), habits.lengths().mean())),
                          known.words()));
            });
  }

  private static Duration seconds(dev.flyball.forecast.AnswerLatency latency, double tokens) {
    return latency.first().plusNanos(Math.round((double) latency.perToken().toNanos() * tokens));
  }

  private static String limits(AssumedLimits manners) {
    var all =
        manners.limits().stream()
            .map(
                limit ->
                    "%s%,d %s %s"
                        .formatted(
                            manners.felt() ? "about " : "",
                            limit.stated(),
                            limit.terms().dimension().name().replace('_', ' '),
                            period(limit.terms().dimension().period())))
            .collect(Collectors.toCollection(ArrayList::new));
    manners.inFlight().ifPresent(most -> all.add("%,d in flight".formatted(most)));
    return all.isEmpty() ? "" : " (" + String.join(", ", all) + ")";
  }

  private static String period(Duration time) {
    return switch ((int) time.toSeconds()) {
      case 1 -> "per second";
      case 60 -> "per minute";
      case 3_600 -> "per hour";
      case 86_400 -> "per day";
      default -> "per " + DurationText.of(time);
    };
  }

  /** As exact as a forecast is. */
  static String words(Duration time) {
    return time.toMinutes() > 0
        ? DurationText.of(Duration.ofSeconds(Math.round(time.toMillis() / 1e3)))
        : time.toMillis() >= 10_000
            ? DurationText.of(Duration.ofSeconds(Math.round(time.toMillis() / 1e3)))
            : DurationText.of(Duration.ofMillis(Math.round(time.toMillis() / 100.0) * 100));
  }

  private String label(String name) {
    return terminal.paint(DIM, String.format(Locale.ROOT, "%-8s", name));
  }

  /** A forecast beside what became of it, in a line; of one that knew no earlier run, nothing. */
  public static Optional<String> compared(ForecastCheck.Compared compared) {
    if (compared.calibratedOn() == 0) {
      return Optional.empty();
    }
    var money =
        compared.costError().isPresent()
            ? ", %s (%s)"
                .formatted(
                    compared.expected().orElseThrow().shown(),
                    off(compared.costError().getAsDouble()))
            : "";
    return Optional.of(
        "forecast was %s (%s)%s, from %d earlier runs"
            .formatted(
                words(compared.median()),
                off(compared.timeError()),
                money,
                compared.calibratedOn()));
  }

  private static String off(double part) {
    long percent = Math.round(Math.abs(part) * 100);
    return percent == 0 ? "exact" : percent + " % too " + (part > 0 ? "high" : "low");
  }
}
