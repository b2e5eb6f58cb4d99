package dev.flyball.simulator.setting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.flyball.simulator.limit.Dimension;
import dev.flyball.simulator.limit.Limit;
import dev.flyball.simulator.limit.Rate;
import dev.flyball.simulator.value.OptionText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The profiles of the dated file {@code profiles.json}. */
public final class Profiles {
  private Profiles() {}

  private static JsonNode file() {
    try (InputStream in = Profiles.class.getResourceAsStream("profiles.json")) {
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** When the figures were looked up. */
  public static String date() {
    return file().path("date").asText();
  }

  public static List<String> names() {
    List<String> names = new ArrayList<>();
    file().path("profiles").fieldNames().forEachRemaining(names::add);
    return List.copyOf(names);
  }

  public static Profile get(String name) {
    JsonNode file = file();
    JsonNode found = file.path("profiles").path(name);
    OptionText.check(
        !found.isMissingNode(), "a profile is one of " + String.join(", ", names()), name);
    List<Profile.ModelClass> classes = new ArrayList<>();
    for (JsonNode each : file.path("classes").path(found.path("style").asText())) {
      JsonNode own = found.path("limitsOf").path(each.path("name").asText());
      classes.add(modelClass(each, found, own.isMissingNode() ? found.path("limits") : own));
    }
    classes.add(modelClass(MissingNode.getInstance(), found, found.path("limits")));
    return new Profile(
        name,
        constant(ProviderStyle.class, found.path("style")),
        strings(found.path("models")),
        found.path("countsFailed").asBoolean(),
        Latency.parse(found.path("latency").asText("0")),
        Optional.of(found.path("spend")).filter(JsonNode::isObject).map(Profiles::spend),
        List.copyOf(classes));
  }

  private static Profile.Spend spend(JsonNode node) {
    return new Profile.Spend(
        node.path("capUsd").asLong() * 1_000_000_000,
        Math.round(node.path("inputUsdPerMillion").asDouble() * 1_000),
        Math.round(node.path("outputUsdPerMillion").asDouble() * 1_000));
  }

  /** A missing class is that of all other models, each by itself. */
  private static Profile.ModelClass modelClass(JsonNode node, JsonNode profile, JsonNode rates) {
    List<Limit> limits = new ArrayList<>();
    rates.forEach(each -> limits.add(limit(each)));
    return new Profile.ModelClass(
        node.path("name").asText(),
        strings(node.path("models")),
        node.path("cacheReadsCount").asBoolean(),
        profile.path("countTokensPerMinute").asLong(),
        List.copyOf(limits));
  }

  private static Limit limit(JsonNode node) {
    Dimension dimension = Dimension.of(node.path("of").asText());
    Duration period = Rate.period(node.path("per").asText("second"));
    Rate rate = new Rate(dimension, node.path("limit").asLong(), period);
    Limit usual = Limit.of(rate);
    Limit.Kind kind =
        node.has("kind") ? constant(Limit.Kind.class, node.path("kind")) : usual.kind();
    Duration window =
        node.has("window") ? OptionText.duration(node.path("window").asText()) : period;
    return new Limit(
        dimension,
        kind,
        usual.amount(),
        period,
        window,
        node.path("burst").asLong(rate.in(window)),
        node.has("charge") ? constant(Limit.Charge.class, node.path("charge")) : usual.charge(),
        node.has("settle") ? constant(Limit.Settle.class, node.path("settle")) : usual.settle());
  }

  private static <E extends Enum<E>> E constant(Class<E> type, JsonNode word) {
    return Enum.valueOf(type, word.asText().toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  private static List<String> strings(JsonNode array) {
    List<String> strings = new ArrayList<>();
    array.forEach(each -> strings.add(each.asText()));
    return List.copyOf(strings);
  }
}
