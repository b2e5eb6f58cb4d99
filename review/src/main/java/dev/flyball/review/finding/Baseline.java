package dev.flyball.review.finding;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The findings that are known and put up with: they are shown and fail nothing. */
public record Baseline(List<Known> known) {
  /** Where it is in a repository. */
  public static final String PATH = ".flyball/baseline.json";

  private static final int VERSION = 1;
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  /**
   * A finding that is put up with. All but the id is for people.
   *
   * @param file empty where the finding was about everything
   */
  public record Known(String id, String rule, String file, String title) {}

  /**
   * Findings with those that were known marked.
   *
   * @param gone what was known and is no longer found where the review looked
   */
  public record Applied(List<Finding> findings, List<Known> gone) {
    public Applied {
      findings = List.copyOf(findings);
      gone = List.copyOf(gone);
    }
  }

  /** The refusal to read a baseline: where, and what is wrong. */
  public static final class Damaged extends Exception {
    private static final long serialVersionUID = 1;

    Damaged(String place, String what) {
      super(place + ": " + what + " (write it again: flyball review --write-baseline)");
    }
  }

  public static final Baseline EMPTY = new Baseline(List.of());

  public Baseline {
    known =
        known.stream()
            .sorted(
                Comparator.comparing(Known::file)
                    .thenComparing(Known::rule)
                    .thenComparing(Known::id))
            .toList();
    twice(known)
        .ifPresent(
            what -> {
              throw new IllegalArgumentException(what);
            });
  }

  public static Baseline of(Collection<Finding> findings) {
    return new Baseline(
        findings.stream()
            .map(
                finding ->
                    new Known(
                        finding.id(),
                        finding.rule(),
                        finding.place().file().orElse(""),
                        finding.claim().title()))
            .distinct()
            .toList());
  }

  /**
   * Reads what {@link #json} wrote.
   *
   * @param place where it was read from, for the message
   */
  public static Baseline read(String json, String place) throws Damaged {
    JsonNode root;
    try {
      root = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      var line = Optional.ofNullable(e.getLocation()).map(it -> ":" + it.getLineNr()).orElse("");
      throw new Damaged(place + line, "is not JSON: " + e.getOriginalMessage());
    }
    var version = root.path("version");
    if (!version.isInt()) {
      throw new Damaged(place, "a baseline says its version, but this one does not");
    }
    if (version.intValue() != VERSION) {
      throw new Damaged(
          place, "version " + VERSION + " can be read, but this is " + version.intValue());
    }
    var entries = root.path("findings");
    if (!entries.isArray()) {
      throw new Damaged(place, "a baseline has a list of findings, but this one does not");
    }
    var known = new ArrayList<Known>();
    for (int i = 0; i < entries.size(); i++) {
      known.add(
          new Known(
              word(entries, i, "id", place),
              word(entries, i, "rule", place),
              word(entries, i, "file", place),
              word(entries, i, "title", place)));
    }
    var twice = twice(known);
    if (twice.isPresent()) {
      throw new Damaged(place, twice.get());
    }
    return new Baseline(known);
  }

  /** One finding a line, in an order that keeps the differences between two versions small. */
  public String json() {
    return known.stream()
        .map(
            one ->
                JsonNodeFactory.instance
                    .objectNode()
                    .put("id", one.id())
                    .put("rule", one.rule())
                    .put("file", one.file())
                    .put("title", one.title()))
        .map(AsciiJson::compact)
        .map(line -> "\n    " + line)
        .collect(
            Collectors.joining(
                ",", "{\n  \"version\": " + VERSION + ",\n  \"findings\": [", "\n  ]\n}\n"));
  }

  /**
   * Marks what is known.
   *
   * @param seen whether a file was looked at: only there can a finding be gone; asked with an empty
   *     path for findings about everything
   */
  public Applied apply(Collection<Finding> findings, Predicate<String> seen) {
    Set<String> ids = known.stream().map(Known::id).collect(Collectors.toUnmodifiableSet());
    Set<String> found = findings.stream().map(Finding::id).collect(Collectors.toUnmodifiableSet());
    return new Applied(
        findings.stream()
            .map(finding -> ids.contains(finding.id()) ? finding.known() : finding)
            .toList(),
        known.stream().filter(one -> seen.test(one.file()) && !found.contains(one.id())).toList());
  }

  private static Optional<String> twice(List<Known> known) {
    var seen = new HashSet<String>();
    return known.stream()
        .filter(one -> !seen.add(one.id()))
        .findFirst()
        .map(one -> "a baseline knows a finding once, but " + one.id() + " is there twice");
  }

  private static String word(JsonNode entries, int index, String field, String place)
      throws Damaged {
    var value = entries.path(index).path(field);
    if (!value.isTextual() || (field.equals("id") && value.textValue().isBlank())) {
      throw new Damaged(
          place,
          "every finding has " + field + " as text, but finding " + (index + 1) + " has not");
    }
    return value.textValue();
  }
}
