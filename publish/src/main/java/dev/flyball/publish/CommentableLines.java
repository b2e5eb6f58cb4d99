package dev.flyball.publish;

import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.Hunk;
import dev.flyball.review.patch.HunkLine;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The lines of a change that hosts take comments on: on the side after it what was added and what
 * stands around it, on the side before what was deleted. One comment is about lines of one hunk, so
 * a place that goes beyond is cut to the hunk that it begins in.
 */
final class CommentableLines {
  private final Map<String, FileChange> files = new HashMap<>();

  private CommentableLines() {}

  static CommentableLines of(Collection<FileChange> changes) {
    var lines = new CommentableLines();
    for (var file : changes) {
      file.oldPath().ifPresent(path -> lines.files.putIfAbsent(path, file));
    }
    // A file that is there now goes before one that was.
    for (var file : changes) {
      file.newPath().ifPresent(path -> lines.files.put(path, file));
    }
    return lines;
  }

  /** Where a comment about a place can be; empty if the change does not have it. */
  Optional<Anchor> at(Place.Lines place) {
    var file = files.get(place.path());
    if (file == null) {
      return Optional.empty();
    }
    for (var hunk : file.hunks()) {
      var lines = lines(hunk, place);
      if (!lines.isEmpty()) {
        return Optional.of(
            new Anchor(
                file.oldPath().orElse(file.path()),
                file.path(),
                place.side(),
                end(lines.getFirst()),
                end(lines.getLast())));
      }
    }
    return Optional.empty();
  }

  private static List<HunkLine> lines(Hunk hunk, Place.Lines place) {
    return hunk.lines().stream()
        .filter(
            line ->
                switch (line.kind()) {
                  case ADDED -> place.side() == DiffSide.RIGHT;
                  case CONTEXT -> place.side() == DiffSide.RIGHT;
                  case DELETED -> place.side() == DiffSide.LEFT;
                })
        .filter(
            line -> {
              int number = place.side() == DiffSide.LEFT ? line.oldNumber() : line.newNumber();
              return number >= place.line() && number <= place.endLine();
            })
        .toList();
  }

  private static Anchor.End end(HunkLine line) {
    return new Anchor.End(line.kind(), line.oldNumber(), line.newNumber());
  }
}
