package dev.flyball.llm.price;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.flyball.call.Cost;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The prices of models: one dated file, and what a user adds to it.
 *
 * <p>A model is found by its id as it is listed; else by the id with or without the day at its end
 * ({@code gpt-4o-2024-08-06} is {@code gpt-4o}); else by the id without the folders before it
 * ({@code openai/gpt-oss-120b} is {@code gpt-oss-120b}). Nobody's price is taken for somebody
 * else's: where the provider is not known, a price is known only if just one provider has the
 * model.
 */
public final class PriceList {
  /** The entry that was found for a model. */
  public sealed interface Found {
    record Known(Price price) implements Found {}

    record Unknown() implements Found {}

    /** Several prices, each of somebody else. */
    record Ambiguous(List<Price> candidates) implements Found {}
  }

  private static final Pattern DAY = Pattern.compile("-20\\d{2}(-?)\\d{2}\\1\\d{2}$");
  private static final BigDecimal DEAREST = BigDecimal.valueOf(1_000_000);
  private static final int DECIMALS = 6;
  private static final Set<String> TARIFF_FIELDS =
      Set.of("input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h");
  private static final Set<String> PRICE_FIELDS =
      Set.of(
          "provider",
          "model",
          "batchInput",
          "batchOutput",
          "longPrompt",
          "smallestCacheablePrefix",
          "prefixSource",
          "context",
          "maxOutput",
          "validFrom",
          "validTo",
          "source",
          "confidence",
          "note");

  private final String version;
  private final List<Price> all;

  private PriceList(String version, List<Price> all) {
    this.version = version;
    this.all = List.copyOf(all);
  }

  public static PriceList read() {
    try (InputStream in = PriceList.class.getResourceAsStream("prices.json")) {
      var file = new ObjectMapper().readTree(in);
      var sources = file.path("sources");
      return new PriceList(
          file.path("date").asText(),
          rows(file.path("prices"), "prices.json", Price.Confidence.SECONDARY, sources));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * With a user's {@code prices}: a list of the same form, each in the place of all that the same
   * provider takes for the same model.
   */
  public PriceList with(JsonNode additions) {
    var added = additions.path("prices");
    if (added.isMissingNode() || added.isNull()) {
      return this;
    }
    check(added.isArray(), "prices", "is a list of prices, each with provider and model", added);
    var own = rows(added, "prices", Price.Confidence.OWN, MissingNode.getInstance());
    var merged = new ArrayList<>(all);
    merged.removeIf(old -> own.stream().anyMatch(price -> price.name().equals(old.name())));
    merged.addAll(own);
    return new PriceList(version.endsWith("+own") ? version : version + "+own", merged);
  }

  /** When the prices were looked up, and whether a user has added some. */
  public String version() {
    return version;
  }

  /** Every price, those of other days too. */
  List<Price> list() {
    return all;
  }

  /** The prices of one day. */
  public List<Price> list(Instant at) {
    var day = day(at);
    return all.stream().filter(price -> price.isValid(day)).toList();
  }

  /** Whether it has prices of a provider. */
  public boolean lists(String provider) {
    return all.stream().anyMatch(price -> price.provider().equals(provider));
  }

  /** What a provider takes for a model at a moment. */
  public Found find(String provider, String model, Instant at) {
    return best(list(at).stream().filter(price -> price.provider().equals(provider)), model);
  }

  /** What a model costs at a moment, whoever provides it. */
  public Found find(String model, Instant at) {
    var today = list(at);
    var found =
        today.stream()
            .map(Price::provider)
            .distinct()
            .map(provider -> find(provider, model, at))
            .flatMap(
                each ->
                    switch (each) {
                      case Found.Known(var price) -> Stream.of(price);
                      case Found.Ambiguous(var candidates) -> candidates.stream();
                      case Found.Unknown() -> Stream.<Price>empty();
                    })
            .toList();
    return of(found);
  }

  private static Found best(Stream<Price> prices, String model) {
    var there = prices.toList();
    for (var likeness : Likeness.values()) {
      var alike = there.stream().filter(price -> likeness.holds(price.model(), model)).toList();
      if (!alike.isEmpty()) {
        return of(alike);
      }
    }
    return new Found.Unknown();
  }

  private static Found of(List<Price> found) {
    return switch (found.size()) {
      case 0 -> new Found.Unknown();
      case 1 -> new Found.Known(found.getFirst());
      default -> new Found.Ambiguous(found);
    };
  }

  /** A likeness of two ids that may name one model; the first that holds counts. */
  private enum Likeness {
    SAME {
      @Override
      boolean holds(String listed, String asked) {
        return listed.equals(asked);
      }
    },
    /** One of them has a day at its end. Two different days are two different models. */
    BUT_FOR_THE_DAY {
      @Override
      boolean holds(String listed, String asked) {
        return undated(listed).equals(asked) || listed.equals(undated(asked));
      }
    },
    BUT_FOR_THE_FOLDERS {
      @Override
      boolean holds(String listed, String asked) {
        return SAME.holds(bare(listed), bare(asked))
            || BUT_FOR_THE_DAY.holds(bare(listed), bare(asked));
      }
    };

    abstract boolean holds(String listed, String asked);

    private static String undated(String id) {
      return DAY.matcher(id).replaceFirst("");
    }

    private static String bare(String id) {
      return id.substring(id.lastIndexOf('/') + 1);
    }
  }

  private static LocalDate day(Instant at) {
    return LocalDate.ofInstant(at, ZoneOffset.UTC);
  }

  // ---- reading ----

  private static List<Price> rows(
      JsonNode list, String listPath, Price.Confidence usual, JsonNode sources) {
    var rows = new ArrayList<Price>();
    for (var node : list) {
      var path = listPath + "[" + rows.size() + "]";
      check(node.isObject(), path, "is a price with provider and model", node);
      rows.add(row(node, path, usual, sources));
    }
    return rows;
  }

  private static Price row(JsonNode node, String path, Price.Confidence usual, JsonNode sources) {
    known(node, path, PRICE_FIELDS);
    var longPrompt = node.path("longPrompt");
    if (longPrompt.isObject()) {
      known(longPrompt, path + ".longPrompt", Set.of("above"));
    }
    var source = node.path("source").asText();
    return new Price(
        word(node, "provider", path),
        word(node, "model", path),
        tariff(node, path),
        longPrompt.isMissingNode()
            ? Optional.empty()
            : Optional.of(longPrompts(longPrompt, path + ".longPrompt")),
        dollars(node, "batchInput", path),
        dollars(node, "batchOutput", path),
        new Price.ModelLimits(
            count(node, "smallestCacheablePrefix", path),
            count(node, "context", path),
            count(node, "maxOutput", path)),
        date(node, "validFrom", path),
        date(node, "validTo", path),
        new Price.Evidence(
            sources.path(source).asText(source),
            confidence(node, path, usual),
            node.path("note").asText()));
  }

  private static void known(JsonNode node, String path, Set<String> more) {
    node.fieldNames()
        .forEachRemaining(
            name ->
                check(
                    TARIFF_FIELDS.contains(name) || more.contains(name),
                    path + "." + name,
                    "is not known here",
                    node.path(name)));
  }

  private static Price.LongPrompts longPrompts(JsonNode node, String path) {
    check(node.isObject(), path, "has above and what it costs then", node);
    long above =
        count(node, "above", path)
            .orElseThrow(() -> wrong(path + ".above", "is a whole number above 0", node));
    return new Price.LongPrompts(above, tariff(node, path));
  }

  private static Tariff tariff(JsonNode node, String path) {
    return new Tariff(
        dollars(node, "input", path),
        dollars(node, "output", path),
        dollars(node, "cacheRead", path),
        dollars(node, "cacheWrite5m", path),
        dollars(node, "cacheWrite1h", path));
  }

  private static String word(JsonNode node, String name, String path) {
    var text = node.path(name).asText().strip();
    check(!text.isEmpty(), path + "." + name, "is missing", node);
    return text;
  }

  private static Optional<Cost> dollars(JsonNode node, String name, String path) {
    var value = node.path(name);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    var rule = "is dollars per million tokens, such as 2.50, to a millionth";
    try {
      var amount = new BigDecimal(value.asText()).stripTrailingZeros();
      check(
          amount.signum() >= 0 && amount.compareTo(DEAREST) <= 0 && amount.scale() <= DECIMALS,
          path + "." + name,
          rule,
          value);
      return Optional.of(Cost.dollars(amount.toPlainString()));
    } catch (NumberFormatException garbled) {
      throw wrong(path + "." + name, rule, value);
    }
  }

  private static OptionalLong count(JsonNode node, String name, String path) {
    var value = node.path(name);
    if (value.isMissingNode()) {
      return OptionalLong.empty();
    }
    check(
        value.canConvertToLong() && value.isIntegralNumber() && value.asLong() >= 1,
        path + "." + name,
        "is a whole number above 0",
        value);
    return OptionalLong.of(value.asLong());
  }

  private static Optional<LocalDate> date(JsonNode node, String name, String path) {
    var value = node.path(name);
    try {
      return value.isMissingNode()
          ? Optional.empty()
          : Optional.of(LocalDate.parse(value.asText()));
    } catch (DateTimeParseException garbled) {
      throw wrong(path + "." + name, "is a day such as 2026-12-31", value);
    }
  }

  private static Price.Confidence confidence(JsonNode node, String path, Price.Confidence usual) {
    var value = node.path("confidence");
    for (var each : Price.Confidence.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(value.asText())) {
        return each;
      }
    }
    check(
        value.isMissingNode(),
        path + ".confidence",
        "is official, secondary, inferred or own",
        value);
    return usual;
  }

  private static void check(boolean holds, String path, String rule, JsonNode value) {
    if (!holds) {
      throw wrong(path, rule, value);
    }
  }

  private static IllegalArgumentException wrong(String path, String rule, JsonNode value) {
    return new IllegalArgumentException(path + " " + rule + ", but was " + value);
  }
}
