package dev.flyball.fleet.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What the scripts of a queue answer, as values. */
final class QueueReply {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long SILENT = Duration.ofMinutes(1).toMillis();

  private QueueReply() {}

  /** The entries that a worker was given. */
  static List<ClaimedEntry> claimed(List<?> said) {
    var entries = new ArrayList<ClaimedEntry>();
    for (int i = 3; i + 6 < said.size(); i += 7) {
      entries.add(
          new ClaimedEntry(
              text(said, i),
              (int) number(said, i + 1),
              text(said, i + 2),
              text(said, i + 3),
              text(said, i + 4),
              Duration.ofMillis(number(said, i + 5)),
              text(said, i + 6)));
    }
    return entries;
  }

  /** The entries of a shelf. */
  static List<ListedEntry> listed(Shelf shelf, List<?> said) {
    var entries = new ArrayList<ListedEntry>();
    for (int i = 0; i + 3 < said.size(); i += 4) {
      long now = Long.parseLong(text(said, i + 2));
      long when = (long) Double.parseDouble(text(said, i + 1));
      var known = json(text(said, i + 3));
      boolean waits = shelf == Shelf.LATER || shelf == Shelf.CLAIMED;
      entries.add(
          new ListedEntry(
              text(said, i),
              shelf,
              known.path("key").asText(),
              known.path("kind").asText(),
              known.path("output").asText(),
              Duration.ofMillis(Math.max(0, now - known.path("added").asLong())),
              known.path("tries").asInt(),
              words(known, "worker"),
              words(known, "why"),
              waits ? Optional.of(Duration.ofMillis(Math.max(0, when - now))) : Optional.empty()));
    }
    return entries;
  }

  private static Optional<String> words(JsonNode known, String field) {
    return known.hasNonNull(field) ? Optional.of(known.path(field).asText()) : Optional.empty();
  }

  /** How it stands. */
  static QueueFigures figures(List<?> said) {
    long now = Long.parseLong(text(said, 0));
    var oldest = text(said, 6);
    var totals = new HashMap<String, Long>();
    pairs(said, 7, (name, value) -> totals.put(name, Long.parseLong(value)));
    var minutes = new ArrayList<QueueFigures.Minute>();
    pairs(
        said,
        8,
        (place, text) -> {
          var sums = json(text);
          long ago = now / 60_000 - sums.path("minute").asLong();
          if (ago >= 0 && ago < 60) {
            minutes.add(
                new QueueFigures.Minute(
                    (int) ago,
                    sums.path("added").asLong(),
                    sums.path("done").asLong(),
                    Duration.ofMillis(sums.path("in_system").asLong()),
                    Duration.ofMillis(sums.path("in_service").asLong())));
          }
        });
    minutes.sort(Comparator.comparingInt(QueueFigures.Minute::ago));
    var workers = new ArrayList<QueueFigures.Worker>();
    pairs(
        said,
        9,
        (name, text) -> {
          var it = json(text);
          if (now - it.path("seen").asLong() < SILENT) {
            double full = it.path("full").asDouble(-1);
            long paused = it.path("paused").asLong();
            workers.add(
                new QueueFigures.Worker(
                    name,
                    it.path("busy").asInt(),
                    it.path("wanted").asInt(),
                    full < 0 ? Optional.empty() : Optional.of(full),
                    paused > 0 ? Optional.of(Duration.ofMillis(now - paused)) : Optional.empty()));
          }
        });
    workers.sort(Comparator.comparing(QueueFigures.Worker::name));
    return new QueueFigures(
        Duration.ofMillis(now % 60_000),
        number(said, 1),
        number(said, 2),
        number(said, 3),
        number(said, 4),
        number(said, 5),
        oldest.isEmpty()
            ? Optional.empty()
            : Optional.of(Duration.ofMillis(Math.max(0, now - Long.parseLong(oldest)))),
        new QueueFigures.Totals(
            totals.getOrDefault("added", 0L),
            totals.getOrDefault("done", 0L),
            totals.getOrDefault("retried", 0L),
            totals.getOrDefault("lost", 0L),
            totals.getOrDefault("dead", 0L),
            totals.getOrDefault("dropped", 0L)),
        List.copyOf(minutes),
        List.copyOf(workers));
  }

  private static void pairs(List<?> said, int place, BiConsumer<String, String> each) {
    var list = (List<?>) said.get(place);
    for (int i = 0; i + 1 < list.size(); i += 2) {
      each.accept(String.valueOf(list.get(i)), String.valueOf(list.get(i + 1)));
    }
  }

  static long number(List<?> said, int place) {
    return said.get(place) instanceof Long number ? number : 0;
  }

  static String text(List<?> said, int place) {
    return String.valueOf(said.get(place));
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException(
          "the queue contains something that Flyball did not write", damaged);
    }
  }
}
