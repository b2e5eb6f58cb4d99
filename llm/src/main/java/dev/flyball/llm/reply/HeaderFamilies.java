package dev.flyball.llm.reply;

import dev.flyball.call.Dimension;
import dev.flyball.call.Sighting;
import dev.flyball.call.Sighting.Snapshot;
import dev.flyball.llm.reply.HeaderFamily.Kind;
import dev.flyball.llm.reply.HeaderFamily.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The families of headers that providers are known to describe their limits with, by name. */
final class HeaderFamilies {
  private record HeaderMeaning(HeaderFamily family, Part part) {}

  private record CountedName(String name, Dimension dimension) {}

  private static final List<CountedName> COUNTED =
      List.of(
          new CountedName("requests", Dimension.REQUESTS),
          new CountedName("req", Dimension.REQUESTS),
          new CountedName("tokens", Dimension.TOKENS),
          new CountedName("input-tokens", Dimension.INPUT_TOKENS),
          new CountedName("output-tokens", Dimension.OUTPUT_TOKENS),
          new CountedName("project-requests", of("requests_project")),
          new CountedName("project-tokens", of("tokens_project")));

  private static final HeaderFamilies KNOWN = new HeaderFamilies();

  private final Map<String, HeaderMeaning> meanings = new HashMap<>();
  private final HeaderFamily plain;

  private HeaderFamilies() {
    anthropic();
    windows();
    together();
    fireworks();
    // Cohere also gives a limit of the month, but never what is left of it: nothing to go by.
    stated("x-trial-endpoint-call-%s", Dimension.REQUESTS);
    plain = add("x-ratelimit-%s", Dimension.REQUESTS, Kind.GUESSED, Snapshot.UNKNOWN, 1);
  }

  /** What the headers of a reply say, family by family. */
  static List<Sighting> read(ReplyHead head, ServerTime time) {
    var found =
        new TreeMap<HeaderFamily, Map<Part, String>>(Comparator.comparingInt(HeaderFamily::rank));
    for (var name : head.headers().keySet()) {
      var meaning = KNOWN.meanings.get(name);
      if (meaning != null) {
        var values = found.computeIfAbsent(meaning.family, key -> new EnumMap<>(Part.class));
        head.first(name).ifPresent(value -> values.put(meaning.part, value));
      }
    }
    boolean together = head.headers().containsKey("x-tokenlimit-limit");
    var sightings = new ArrayList<Sighting>();
    found.forEach(
        (family, values) -> {
          boolean ofSecond = together && family.equals(KNOWN.plain);
          (ofSecond ? family.perSecond() : family)
              .sighting(values, time)
              .filter(
                  seen ->
                      family.kind() != Kind.SUM
                          || sightings.stream().noneMatch(HeaderFamilies::isPart))
              .ifPresent(sightings::add);
        });
    return sightings;
  }

  private static boolean isPart(Sighting seen) {
    return seen.dimension().equals(Dimension.INPUT_TOKENS)
        || seen.dimension().equals(Dimension.OUTPUT_TOKENS);
  }

  private void anthropic() {
    var requests = "anthropic-ratelimit-requests-%s";
    add(requests, Dimension.REQUESTS, Kind.STATED, Snapshot.ADMISSION, 1);
    rounded("anthropic-ratelimit-input-tokens-%s", Dimension.INPUT_TOKENS, Kind.STATED);
    rounded("anthropic-ratelimit-output-tokens-%s", Dimension.OUTPUT_TOKENS, Kind.STATED);
    rounded("anthropic-ratelimit-tokens-%s", Dimension.TOKENS, Kind.SUM);
    // Of a subscription only the reset is told by this name, and only a refusal needs it.
    stated("anthropic-ratelimit-unified-%s", of("subscription").per(Duration.ofDays(7)));
    for (var pool : List.of("priority", "fast")) {
      rounded("anthropic-" + pool + "-input-tokens-%s", of("input_tokens_" + pool), Kind.STATED);
      rounded("anthropic-" + pool + "-output-tokens-%s", of("output_tokens_" + pool), Kind.STATED);
    }
  }

  /** What OpenAI began and many took over, some with the period in the name. */
  private void windows() {
    for (var word : List.of("second", "minute", "hour", "day")) {
      var period = LimitPeriod.of(word);
      for (var counted : COUNTED) {
        stated("x-ratelimit-%s-" + counted.name + "-" + word, counted.dimension.per(period));
      }
      stated("x-ratelimit-%s-" + word, Dimension.REQUESTS.per(period));
      stated("x-ratelimitbysize-%s-" + word, Dimension.TOKENS.per(period));
    }
    // Mistral's "size" is in tokens.
    stated("ratelimitbysize-%s", Dimension.TOKENS);
    stated("x-ratelimitbysize-%s", Dimension.TOKENS);
    for (var counted : COUNTED) {
      var pattern = "x-ratelimit-%s-" + counted.name;
      add(pattern, counted.dimension, Kind.GUESSED, Snapshot.UNKNOWN, 1);
    }
  }

  /** Its plain {@code x-ratelimit-*} are of a second too, as nobody else's are. */
  private void together() {
    perSecond("x-tokenlimit-%s", Dimension.TOKENS);
    perSecond("x-ratelimit-%s-dynamic", of("requests_dynamic"));
    perSecond("x-tokenlimit-%s-dynamic", of("tokens_dynamic"));
  }

  /** The cache-adjusted prompt is the input that was not cached. */
  private void fireworks() {
    perSecond("x-ratelimit-%s-tokens-prompt", of("input_tokens_total"));
    perSecond("x-ratelimit-%s-tokens-cache-adjusted-prompt", Dimension.INPUT_TOKENS);
    perSecond("x-ratelimit-%s-tokens-generated", Dimension.OUTPUT_TOKENS);
  }

  private static Dimension of(String name) {
    return new Dimension(name, Dimension.MINUTE);
  }

  private void perSecond(String pattern, Dimension dimension) {
    stated(pattern, dimension.per(LimitPeriod.SECOND));
  }

  private void stated(String pattern, Dimension dimension) {
    add(pattern, dimension, Kind.STATED, Snapshot.UNKNOWN, 1);
  }

  private void rounded(String pattern, Dimension dimension, Kind kind) {
    add(pattern, dimension, kind, Snapshot.HEADERS, 1_000);
  }

  private HeaderFamily add(
      String pattern, Dimension dimension, Kind kind, Snapshot snapshot, long rounding) {
    var name = pattern.replace("-%s", "");
    var family = new HeaderFamily(meanings.size(), name, dimension, kind, snapshot, rounding);
    for (var part : Part.values()) {
      meanings.put(pattern.replace("%s", part.word), new HeaderMeaning(family, part));
    }
    return family;
  }
}
