package dev.flyball.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.ask.UnitRunner.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** How far a review is, for programs: in a file that is replaced as a whole, and line by line. */
final class ReviewProgressFile {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION = 1;

  private final Path file;
  private final ReviewWatch watch;
  private final Instant startedAt;

  ReviewProgressFile(Path file, ReviewWatch watch, Instant startedAt) {
    this.file = file;
    this.watch = watch;
    this.startedAt = startedAt;
  }

  /** The counts, without the files. */
  ObjectNode counts() {
    var units = watch.units();
    long errored = units.stream().filter(unit -> watch.state(unit) == State.ERROR).count();
    long cached = units.stream().filter(unit -> watch.state(unit) == State.CACHED).count();
    var used = watch.usage();
    var node =
        JSON.createObjectNode()
            .put("version", VERSION)
            .put("startedAt", startedAt.toString())
            .put("total", units.size())
            .put("completed", watch.over() - errored)
            .put("errored", errored)
            .put("skipped", units.size() - watch.over())
            .put("cached", cached);
    node.putObject("tokens")
        .put("input", used.input())
        .put("output", used.output())
        .put("cacheRead", used.cacheRead())
        .put("cacheWrite", used.cacheWrite());
    return node.put("costUsd", used.cost().toString().substring(1));
  }

  /** All of it, into the file. */
  void write() throws IOException {
    var node = counts();
    var files = node.putObject("files");
    for (var unit : watch.units()) {
      for (var path : unit.files()) {
        var known = files.path(path).path("state").asText("");
        var state = worse(known, watch.state(unit).name().toLowerCase(Locale.ROOT));
        var earlier = files.path(path).path("error").asText("");
        var entry = files.putObject(path).put("state", state);
        if (state.equals("error")) {
          entry.put("error", earlier.isEmpty() ? watch.reason(unit) : earlier);
        }
      }
    }
    var part = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(part, node.toPrettyString() + "\n");
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** A file is done when all of its units are. */
  private static String worse(String one, String other) {
    for (var state : List.of("error", "running", "pending", "done")) {
      if (one.equals(state) || other.equals(state)) {
        return state;
      }
    }
    return other;
  }
}
