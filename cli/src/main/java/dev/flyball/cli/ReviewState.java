package dev.flyball.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.review.ask.Inquiry.State;
import dev.flyball.review.plan.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** How far a review is, in a file that is replaced as a whole, for whoever looks from outside. */
final class ReviewState {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION = 1;

  private final Path file;
  private final List<Unit> units;
  private final Instant startedAt;

  ReviewState(Path file, List<Unit> units, Instant startedAt) {
    this.file = file;
    this.units = List.copyOf(units);
    this.startedAt = startedAt;
  }

  void write(ReviewScreen screen) throws IOException {
    var node = JSON.createObjectNode();
    node.put("version", VERSION).put("startedAt", startedAt.toString()).put("total", units.size());
    long errored = units.stream().filter(unit -> screen.state(unit) == State.ERROR).count();
    node.put("completed", screen.over() - errored).put("errored", errored);
    node.put("skipped", units.size() - screen.over());
    var files = node.putObject("files");
    for (var unit : units) {
      for (var path : unit.files()) {
        var known = files.path(path).path("state").asText("");
        var state = worse(known, screen.state(unit).name().toLowerCase(Locale.ROOT));
        var entry = files.putObject(path).put("state", state);
        if (state.equals("error")) {
          entry.put("error", screen.reason(unit));
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
