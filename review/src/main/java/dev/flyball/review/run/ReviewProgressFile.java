package dev.flyball.review.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.ask.UnitState;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The progress of a review for programs: in a file that is replaced as a whole, and as a line. */
public final class ReviewProgressFile {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION = 1;
  private static final String NAME = "progress.json";

  private final StateFolder folder;
  private final ReviewProgress progress;

  ReviewProgressFile(StateFolder folder, ReviewProgress progress) {
    this.folder = folder;
    this.progress = progress;
  }

  /** The counts, without the files. */
  public static ObjectNode counts(ReviewProgress progress) {
    var units = progress.units();
    long errored = units.stream().filter(unit -> progress.state(unit) == UnitState.ERROR).count();
    long cached = units.stream().filter(unit -> progress.state(unit) == UnitState.CACHED).count();
    var used = progress.usage();
    var node =
        JSON.createObjectNode()
            .put("version", VERSION)
            .put("startedAt", progress.startedAt().toString())
            .put("total", units.size())
            .put("completed", progress.over() - errored)
            .put("errored", errored)
            .put("skipped", units.size() - progress.over())
            .put("cached", cached);
    node.putObject("tokens")
        .put("input", used.input())
        .put("output", used.output())
        .put("cacheRead", used.cacheRead())
        .put("cacheWrite", used.cacheWrite());
    return node.put("costUsd", used.cost().decimal());
  }

  /** All of it, into the file. */
  void write() throws IOException {
    var node = counts(progress);
    var files = node.putObject("files");
    for (var unit : progress.units()) {
      for (var path : unit.files()) {
        var known = files.path(path).path("state").asText("");
        var state = worse(known, progress.state(unit).name().toLowerCase(Locale.ROOT));
        var earlier = files.path(path).path("error").asText("");
        var entry = files.putObject(path).put("state", state);
        if (state.equals("error")) {
          entry.put("error", earlier.isEmpty() ? progress.reason(unit) : earlier);
        }
      }
    }
    folder.replace(NAME, (AsciiJson.pretty(node) + "\n").getBytes(StandardCharsets.UTF_8));
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
