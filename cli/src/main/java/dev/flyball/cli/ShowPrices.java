package dev.flyball.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.Cost;
import dev.flyball.cli.help.Examples;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.llm.price.Price;
import dev.flyball.llm.price.PriceList;
import dev.flyball.llm.price.Tariff;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.run.ExitCode;
import dev.flyball.run.config.NearestWord;
import dev.flyball.scheduler.Time;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball prices}: what models cost, and how sure that is. */
@Command(
    name = "prices",
    sortOptions = false,
    description = {
      "Shows prices in dollars per million tokens, as used for costs and budgets.",
      "An unknown price is shown as \u2013 and never treated as $0."
    },
    footer = {
      "",
      "A price in your config.yaml overrides the listed one:",
      "  prices:",
      "    - provider: openai",
      "      model: gpt-5.4",
      "      input: 2.25",
      "      output: 13.50",
      "",
      "Exit codes: 0, or 2 if MODEL is unknown."
    })
@Examples({
  "flyball prices",
  "flyball prices claude-sonnet-5",
  "flyball prices --provider openai --format json"
})
final class ShowPrices implements Callable<Integer> {
  private static final String UNKNOWN = "\u2013";

  private static final int LEAST_COLUMNS = 5;

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Parameters(
      arity = "0..1",
      paramLabel = "MODEL",
      description = "Only this model, with or without date suffix and vendor prefix.")
  private @Nullable String model;

  @Option(names = "--provider", paramLabel = "NAME", description = "Only this provider.")
  private @Nullable String provider;

  @Option(
      names = "--at",
      paramLabel = "DATE",
      description = "The prices on another day, such as 2026-12-01.")
  private @Nullable String at;

  @Option(
      names = "--format",
      paramLabel = "table|json",
      defaultValue = "table",
      description = "table or json. Default: ${DEFAULT-VALUE}")
  private String format;

  @Override
  public Integer call() {
    if (!format.equals("table") && !format.equals("json")) {
      throw wrong("--format: must be table or json, not " + format);
    }
    var prices = main.config().files().prices();
    if (provider != null && !prices.lists(provider)) {
      throw wrong("--provider: there are no prices for " + provider + " in the list");
    }
    var moment = moment();
    var found = found(prices, moment);
    var out = spec.commandLine().getOut();
    if (found.isEmpty()) {
      return ExitCode.REFUSED.code();
    }
    if (format.equals("json")) {
      out.println(AsciiJson.pretty(json(prices, found.get())));
    } else {
      var terminal = Terminal.of(out, main.config().environment());
      table(found.get(), terminal.isLive() ? terminal.width() : Integer.MAX_VALUE)
          .forEach(out::println);
      out.println();
      out.println("dollars per million tokens; price list of " + prices.version());
    }
    return ExitCode.DONE.code();
  }

  private Instant moment() {
    if (at == null) {
      return Time.system().wall();
    }
    try {
      return LocalDate.parse(at).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeParseException wrong) {
      throw wrong("--at: write a date as 2026-12-01, not '" + at + "'");
    }
  }

  /** Empty when it was said what is wrong. */
  private Optional<List<Price>> found(PriceList prices, Instant moment) {
    if (model == null) {
      var all = prices.list(moment);
      return Optional.of(
          all.stream().filter(p -> provider == null || p.provider().equals(provider)).toList());
    }
    var found =
        provider == null ? prices.find(model, moment) : prices.find(provider, model, moment);
    return switch (found) {
      case PriceList.Found.Known(var price) -> Optional.of(List.of(price));
      case PriceList.Found.Ambiguous(var candidates) -> Optional.of(List.copyOf(candidates));
      case PriceList.Found.Unknown unknown ->
          refuse(
              "no price for %s in the list of %s%s (add it under prices: in %s)"
                  .formatted(
                      model,
                      prices.version(),
                      NearestWord.question(
                          model,
                          prices.list(moment).stream().map(Price::model).distinct().toList()),
                      main.config().files().user().name()));
    };
  }

  private Optional<List<Price>> refuse(String why) {
    spec.commandLine().getErr().println("flyball prices: " + why);
    return Optional.empty();
  }

  /** What matters most is first: a narrow screen leaves out the rest. */
  private static List<String> table(List<Price> prices, int width) {
    var rows = new ArrayList<List<String>>();
    rows.add(
        List.of(
            "provider",
            "model",
            "input",
            "output",
            "cache read",
            "write 5m",
            "write 1h",
            "smallest prefix",
            "batch",
            "long prompts",
            "until",
            "confidence"));
    for (var price : prices) {
      var tariff = price.tariff();
      rows.add(
          List.of(
              price.provider(),
              price.model(),
              dollars(tariff.input()),
              dollars(tariff.output()),
              dollars(tariff.cacheRead()),
              dollars(tariff.cacheWrite5m()),
              dollars(tariff.cacheWrite1h()),
              price.limits().smallestPrefix().isPresent()
                  ? "%,d".formatted(price.limits().smallestPrefix().getAsLong())
                  : UNKNOWN,
              pair(price.batchInput(), price.batchOutput()),
              price.longPrompts().map(than -> longPrompts(than)).orElse(""),
              price.validTo().map(LocalDate::toString).orElse(""),
              word(price.evidence().confidence())));
    }
    for (int columns = rows.getFirst().size(); ; columns--) {
      int shown = columns;
      var table = aligned(rows.stream().map(row -> row.subList(0, shown)).toList());
      if (columns == LEAST_COLUMNS || table.stream().allMatch(line -> line.length() < width)) {
        return table;
      }
    }
  }

  private static String longPrompts(Price.LongPrompts than) {
    return "above %,d: %s"
        .formatted(than.above(), pair(than.tariff().input(), than.tariff().output()));
  }

  private static String pair(Optional<Cost> input, Optional<Cost> output) {
    return input.isEmpty() && output.isEmpty() ? UNKNOWN : dollars(input) + " / " + dollars(output);
  }

  private static String dollars(Optional<Cost> cost) {
    return cost.map(ShowPrices::plain).orElse(UNKNOWN);
  }

  private static String plain(Cost cost) {
    var amount = BigDecimal.valueOf(cost.micros(), 6).stripTrailingZeros();
    return amount.setScale(Math.max(2, amount.scale())).toPlainString();
  }

  private static String word(Price.Confidence confidence) {
    return confidence.name().toLowerCase(Locale.ROOT);
  }

  /** Columns as wide as they need to be. */
  private static List<String> aligned(List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] width = new int[columns];
    for (var row : rows) {
      for (int i = 0; i < columns; i++) {
        width[i] = Math.max(width[i], row.get(i).length());
      }
    }
    return rows.stream()
        .map(
            row -> {
              var line = new StringBuilder();
              for (int i = 0; i < columns; i++) {
                line.append(row.get(i)).repeat(' ', width[i] - row.get(i).length() + 2);
              }
              return line.toString().stripTrailing();
            })
        .toList();
  }

  private static ObjectNode json(PriceList prices, List<Price> found) {
    var node = new ObjectMapper().createObjectNode().put("version", prices.version());
    var array = node.putArray("prices");
    for (var price : found) {
      var each = array.addObject().put("provider", price.provider()).put("model", price.model());
      tariff(each, price.tariff());
      put(each, "batchInput", price.batchInput());
      put(each, "batchOutput", price.batchOutput());
      price
          .longPrompts()
          .ifPresent(
              than ->
                  tariff(each.putObject("longPrompt").put("above", than.above()), than.tariff()));
      put(each, "smallestCacheablePrefix", price.limits().smallestPrefix());
      put(each, "context", price.limits().context());
      put(each, "maxOutput", price.limits().maxOutput());
      price.validFrom().ifPresent(day -> each.put("validFrom", day.toString()));
      price.validTo().ifPresent(day -> each.put("validTo", day.toString()));
      each.put("source", price.evidence().source())
          .put("confidence", word(price.evidence().confidence()));
      if (!price.evidence().note().isEmpty()) {
        each.put("note", price.evidence().note());
      }
    }
    return node;
  }

  private static void tariff(ObjectNode node, Tariff tariff) {
    put(node, "input", tariff.input());
    put(node, "output", tariff.output());
    put(node, "cacheRead", tariff.cacheRead());
    put(node, "cacheWrite5m", tariff.cacheWrite5m());
    put(node, "cacheWrite1h", tariff.cacheWrite1h());
  }

  /** Unknown is null here, so that a program cannot take it for an older format. */
  private static void put(ObjectNode node, String name, Optional<Cost> cost) {
    cost.ifPresentOrElse(known -> node.put(name, plain(known)), () -> node.putNull(name));
  }

  private static void put(ObjectNode node, String name, OptionalLong count) {
    count.ifPresentOrElse(known -> node.put(name, known), () -> node.putNull(name));
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
