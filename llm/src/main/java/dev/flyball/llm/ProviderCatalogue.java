package dev.flyball.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Charge;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneProfile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The known providers: where they are, which models share a limit, what accounts of a known size
 * may use. One dated file, and what a user adds to it.
 */
public final class ProviderCatalogue {
  /**
   * A provider that is known by name.
   *
   * @param url empty where every account has an address of its own
   * @param style how it counts
   * @param mode how its use is paid: {@code api} (by the token), {@code subscription} or {@code
   *     local}
   */
  public record Listing(
      String name,
      Optional<URI> url,
      Dialect dialect,
      String style,
      String keyVariable,
      String baseUrlVariable,
      Endpoint.Auth auth,
      String mode) {}

  private static final List<String> MODES = List.of("api", "subscription", "local");

  private final JsonNode file;

  private ProviderCatalogue(JsonNode file) {
    this.file = file;
  }

  public static ProviderCatalogue read() {
    try (InputStream in = ProviderCatalogue.class.getResourceAsStream("profiles.json")) {
      return new ProviderCatalogue(new ObjectMapper().readTree(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With a user's {@code providers}, {@code classes} and {@code profiles} on top. */
  public ProviderCatalogue with(JsonNode additions) {
    ObjectNode merged = file.deepCopy();
    for (var part : List.of("providers", "profiles", "classes")) {
      var added = additions.path(part);
      check(isNothing(added) || added.isObject(), part + " are names with what they mean", added);
      added
          .properties()
          .forEach(
              entry -> {
                boolean fits =
                    part.equals("classes")
                        ? entry.getValue().isArray()
                        : entry.getValue().isObject();
                check(fits, part + "." + entry.getKey() + " has the wrong shape", entry.getValue());
                if (part.equals("providers")) {
                  // What is not said of a provider that is listed stays as it is.
                  ObjectNode known =
                      merged.withObject("/providers").withObjectProperty(entry.getKey());
                  known.setAll((ObjectNode) entry.getValue());
                } else {
                  merged.withObject("/" + part).set(entry.getKey(), entry.getValue());
                }
              });
    }
    var result = new ProviderCatalogue(merged);
    // Said now, with the place, and not in the middle of a run.
    result.providers().forEach(name -> result.provider(name));
    for (var name : result.profiles()) {
      result.profile(name, "");
      merged
          .path("profiles")
          .path(name)
          .path("limitsOf")
          .fieldNames()
          .forEachRemaining(models -> result.profile(name, models));
    }
    return result;
  }

  private static boolean isNothing(JsonNode node) {
    return node.isMissingNode() || node.isNull();
  }

  private static void check(boolean holds, String rule, JsonNode value) {
    if (!holds) {
      throw unknown(rule, value);
    }
  }

  private static IllegalArgumentException unknown(String rule, JsonNode value) {
    return new IllegalArgumentException(rule + ", but was " + value);
  }

  public List<String> providers() {
    return names("providers");
  }

  public List<String> profiles() {
    return names("profiles");
  }

  private List<String> names(String part) {
    var names = new ArrayList<String>();
    file.path(part).fieldNames().forEachRemaining(names::add);
    return List.copyOf(names);
  }

  public Optional<Listing> provider(String name) {
    var found = file.path("providers").path(name);
    if (found.isMissingNode()) {
      return Optional.empty();
    }
    var upper = name.toUpperCase(Locale.ROOT).replace('-', '_');
    return Optional.of(
        new Listing(
            name,
            Optional.ofNullable(found.get("url")).map(url -> url(name, url.asText())),
            constant(Dialect.class, "a dialect", found.path("dialect").asText("openai")),
            found.path("style").asText("any"),
            found.path("key").asText(upper + "_API_KEY"),
            found.path("baseUrl").asText(upper + "_BASE_URL"),
            auth(name, found.path("auth")),
            mode(name, found.path("mode"))));
  }

  /**
   * The models that a review asks where nobody chose others.
   *
   * @param deep for questions that need thought
   * @param fast for the others
   */
  public record Reviewers(String deep, String fast) {}

  /** Those of a provider, where they are known. */
  public Optional<Reviewers> reviewers(String provider) {
    var known = file.path("providers").path(provider).path("review");
    return known.isMissingNode()
        ? Optional.empty()
        : Optional.of(new Reviewers(known.path("deep").asText(), known.path("fast").asText()));
  }

  private static URI url(String provider, String text) {
    try {
      return Endpoint.at(provider, new URI(text)).root();
    } catch (URISyntaxException | IllegalArgumentException none) {
      // Without the text, and without a message that has it: there may be a password in it.
      throw new IllegalArgumentException(
          "provider " + provider + " has a url such as https://host/v1, without a password");
    }
  }

  private static Endpoint.Auth auth(String provider, JsonNode word) {
    check(
        word.isMissingNode() || word.asText().equals("api-key"),
        "the auth of provider " + provider + " is api-key or not there",
        word);
    return word.isMissingNode() ? Endpoint.Auth.BY_DIALECT : Endpoint.Auth.API_KEY;
  }

  private static String mode(String provider, JsonNode word) {
    var mode = word.asText("api");
    check(
        MODES.contains(mode),
        "the mode of provider " + provider + " is one of " + String.join(", ", MODES),
        word);
    return mode;
  }

  /** The class whose limits a model shares: as listed, else the model without its date. */
  public String modelClass(String style, String model) {
    var best = model.replaceFirst("-20\\d{2}-?\\d{2}-?\\d{2}$", "");
    int length = 0;
    for (var each : file.path("classes").path(style)) {
      for (var prefix : each.path("models")) {
        if (model.startsWith(prefix.asText()) && prefix.asText().length() > length) {
          best = each.path("name").asText();
          length = prefix.asText().length();
        }
      }
    }
    return best;
  }

  /** How providers of a style count, without how much they allow: the replies will say that. */
  public LaneProfile style(String style) {
    return starting(style).map(name -> read(name, "", false)).orElse(LaneProfile.UNKNOWN);
  }

  /** What an account of a known size allows to a class of models. */
  public LaneProfile profile(String name, String modelClass) {
    return read(name, modelClass, true);
  }

  /** The limits of an account that its provider's headers do not tell. */
  public Set<Dimension> untold(String profile, String modelClass) {
    var untold = new HashSet<Dimension>();
    for (var limit : limits(profile, modelClass)) {
      if (!limit.path("told").asBoolean(true)) {
        var period = period(profile, limit.path("per").asText());
        untold.add(dimension(profile, limit.path("of").asText()).per(period));
      }
    }
    return untold;
  }

  private JsonNode limits(String profile, String modelClass) {
    var found = file.path("profiles").path(profile);
    var own = found.path("limitsOf").path(modelClass);
    return own.isMissingNode() ? found.path("limits") : own;
  }

  /** How long answers of such an account usually take, as in {@code 800ms+12ms}, where listed. */
  public Optional<String> latency(String profile) {
    return Optional.ofNullable(file.path("profiles").path(profile).get("latency"))
        .map(JsonNode::asText);
  }

  /** The account that a customer of such a provider starts with: the first that is listed. */
  public Optional<String> starting(String style) {
    return profiles().stream()
        .filter(
            name ->
                !style.equals("any")
                    && file.path("profiles").path(name).path("style").asText().equals(style))
        .findFirst();
  }

  private LaneProfile read(String name, String modelClass, boolean amounts) {
    var profile = file.path("profiles").path(name);
    if (profile.isMissingNode()) {
      throw new IllegalArgumentException(
          "a profile is one of " + String.join(", ", profiles()) + ", but was " + name);
    }
    var terms = new ArrayList<AllowanceTerms>();
    var inFlight = OptionalInt.empty();
    for (var limit : limits(name, modelClass)) {
      check(
          limit.path("limit").canConvertToLong() && limit.path("limit").asLong() >= 1,
          "a limit is a whole number above 0 in profile " + name,
          limit);
      if (limit.path("of").asText().equals("in-flight")) {
        inFlight = OptionalInt.of(limit.path("limit").asInt());
      } else {
        terms.add(terms(name, limit, profile.path("countsFailed").asBoolean(), amounts));
      }
    }
    return new LaneProfile(terms, inFlight);
  }

  private static AllowanceTerms terms(
      String profile, JsonNode limit, boolean countsFailed, boolean amounts) {
    long amount = limit.path("limit").asLong();
    var period = period(profile, limit.path("per").asText());
    var terms = AllowanceTerms.of(dimension(profile, limit.path("of").asText()).per(period));
    terms = terms.charging(charge(terms, limit), settle(terms, limit));
    if (limit.has("window") || limit.has("burst")) {
      var window =
          limit.has("window")
              ? window(profile, limit.path("window"))
              : Duration.ofNanos(
                  (long) ((double) period.toNanos() * limit.path("burst").asLong() / amount));
      terms = terms.enforcedOver(window);
    }
    terms = amounts ? terms.limit(amount) : terms;
    return countsFailed && terms.charge() == Charge.ONE ? terms.countingFailed() : terms;
  }

  private static Duration window(String profile, JsonNode text) {
    try {
      return Duration.parse("PT" + text.asText());
    } catch (DateTimeParseException none) {
      throw new IllegalArgumentException(
          "a window is a time such as 10s, but was " + text + " in profile " + profile, none);
    }
  }

  private static Dimension dimension(String profile, String word) {
    return switch (word) {
      case "requests" -> Dimension.REQUESTS;
      case "input" -> Dimension.INPUT_TOKENS;
      case "output" -> Dimension.OUTPUT_TOKENS;
      case "tokens" -> Dimension.TOKENS;
      default ->
          throw new IllegalArgumentException(
              "a limit is on requests, input, output, tokens or in-flight, but was on '"
                  + (word + "' in profile " + profile));
    };
  }

  private static Duration period(String profile, String word) {
    return switch (word) {
      case "second" -> Duration.ofSeconds(1);
      case "minute" -> Duration.ofMinutes(1);
      case "hour" -> Duration.ofHours(1);
      case "day" -> Duration.ofDays(1);
      default ->
          throw new IllegalArgumentException(
              "a limit is per second, minute, hour or day, but was per '"
                  + (word + "' in profile " + profile));
    };
  }

  private static Charge charge(AllowanceTerms usual, JsonNode limit) {
    if (!limit.has("charge") && usual.dimension().name().equals("tokens")) {
      return Charge.LARGER_OF_INPUT_AND_MOST_OUTPUT;
    }
    return switch (limit.path("charge").asText()) {
      case "larger" -> Charge.LARGER_OF_INPUT_AND_MOST_OUTPUT;
      case "sum" -> Charge.INPUT_AND_MOST_OUTPUT;
      case "longest" -> Charge.MOST_OUTPUT;
      case "", "one", "input", "nothing" -> usual.charge();
      default -> throw unknown("a charge is one, input, nothing, larger, sum or longest", limit);
    };
  }

  private static AllowanceTerms.Settle settle(AllowanceTerms usual, JsonNode limit) {
    if (!limit.has("settle") && usual.dimension().name().equals("tokens")) {
      return AllowanceTerms.Settle.NO_REFUND;
    }
    return limit.has("settle")
        ? switch (limit.path("settle").asText()) {
          case "refund" -> AllowanceTerms.Settle.REFUND;
          case "keep" -> AllowanceTerms.Settle.NO_REFUND;
          case "as-produced" -> AllowanceTerms.Settle.AS_PRODUCED;
          default -> throw unknown("a charge is settled by refund, keep or as-produced", limit);
        }
        : usual.settle();
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String what, String word) {
    try {
      return Enum.valueOf(type, word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException unknown) {
      throw new IllegalArgumentException(
          what + " is one of " + List.of(type.getEnumConstants()) + ", but was " + word, unknown);
    }
  }
}
