package dev.flyball.review.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.secret.Secrets;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A review as it is kept: enough of it that every report can be written again, and nothing has to
 * be asked or read for that. Of the code it has the lines that findings are about, with some around
 * them, without the secrets that are in them.
 *
 * @param run the id that it is found by
 * @param title what was reviewed
 * @param plan as programs read it; null where there was none
 * @param discussion where it is talked about, as whoever posts it wrote that down; null if nowhere
 * @param texts the lines that are kept, by side and path
 */
public record StoredReview(
    String run,
    Instant made,
    String title,
    Review review,
    JsonNode plan,
    JsonNode discussion,
    List<Excerpt> texts) {
  private static final int AROUND = 5;
  private static final int MOST_LINES = 60;
  private static final int LONGEST_LINE = 2_000;

  /**
   * Lines of a file, by number.
   *
   * @param count how many lines the file has
   */
  public record Excerpt(DiffSide side, String path, int count, Map<Integer, String> lines) {
    public Excerpt {
      lines = new TreeMap<>(lines);
    }
  }

  public StoredReview {
    texts = List.copyOf(texts);
  }

  /** One that is to be kept. */
  public static StoredReview of(
      String run,
      Instant made,
      String title,
      Review review,
      JsonNode plan,
      JsonNode discussion,
      Function<Place.Lines, Optional<SourceText>> read) {
    var masked = new HashMap<String, Optional<SourceText>>();
    var kept = new LinkedHashMap<String, Excerpt>();
    for (var finding : review.findings()) {
      if (!(finding.place() instanceof Place.Lines place)) {
        continue;
      }
      var key = place.side() + place.path();
      var text =
          masked.computeIfAbsent(
              key,
              name ->
                  read.apply(place)
                      .map(it -> SourceText.of(it.path(), Secrets.masked(it.content()))));
      if (text.isEmpty()) {
        continue;
      }
      var file = text.get();
      var lines =
          kept.computeIfAbsent(
                  key,
                  name -> new Excerpt(place.side(), place.path(), file.lines(), new TreeMap<>()))
              .lines();
      int first = Math.max(1, place.line() - AROUND);
      int last =
          Math.min(file.lines(), Math.min(place.endLine(), place.line() + MOST_LINES) + AROUND);
      for (int line = first; line <= last; line++) {
        var content = file.line(line);
        lines.put(
            line, content.length() > LONGEST_LINE ? content.substring(0, LONGEST_LINE) : content);
      }
    }
    return new StoredReview(run, made, title, review, plan, discussion, List.copyOf(kept.values()));
  }

  /** The same as it is talked about somewhere. */
  public StoredReview discussed(JsonNode where) {
    return new StoredReview(run, made, title, review, plan, where, texts);
  }

  /**
   * The texts of places, as far as they are kept: lines in between are empty, so that each has its
   * number.
   */
  public Function<Place.Lines, Optional<SourceText>> read() {
    var known = new HashMap<String, SourceText>();
    for (var excerpt : texts) {
      var text = new StringBuilder();
      int last =
          excerpt.lines().isEmpty() ? 0 : ((TreeMap<Integer, String>) excerpt.lines()).lastKey();
      for (int line = 1; line <= last; line++) {
        text.append(excerpt.lines().getOrDefault(line, "")).append('\n');
      }
      known.put(excerpt.side() + excerpt.path(), SourceText.of(excerpt.path(), text.toString()));
    }
    return place -> Optional.ofNullable(known.get(place.side() + place.path()));
  }
}
