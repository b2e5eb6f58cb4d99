package dev.flyball.bench;

import dev.flyball.review.check.HiddenCharacters;
import dev.flyball.review.check.OrdersToReviewer;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Counts what is taken for orders to the reviewer, and for hidden characters, in folders of code
 * that people wrote: as if every line of them were added by a change. Each critical finding is
 * printed, to be read by a person.
 */
final class Orders {
  private static final long LARGEST = 2_000_000;

  private long files;
  private long lines;
  private long bytes;
  private long critical;
  private long remarks;
  private long hidden;
  private double seconds;

  private Orders() {}

  static Optional<BenchReport> run(String[] args) throws IOException {
    if (args.length == 0) {
      System.err.println("bench: orders wants folders of source code");
      return Optional.empty();
    }
    var rows = new ArrayList<List<String>>();
    var all = new Orders();
    for (var each : args) {
      var one = new Orders();
      long began = System.nanoTime();
      one.folder(Path.of(each));
      one.seconds = (System.nanoTime() - began) / 1e9;
      rows.add(one.row(String.valueOf(Path.of(each).getFileName())));
      all.add(one);
    }
    rows.add(all.row("all"));
    return Optional.of(
        new BenchReport("Orders to the reviewer in public code")
            .say(
                "Every line of these folders counts as one that a change adds. Wanted: at most one"
                    + " false critical finding in a million lines.")
            .table(
                List.of(
                    "folder", "files", "lines", "critical", "remarks", "hidden characters", "MB/s"),
                rows)
            .say(
                "Critical in a million lines: %.2f."
                    .formatted(all.critical * 1e6 / Math.max(1, all.lines))));
  }

  private List<String> row(String name) {
    return List.of(
        name,
        "%,d".formatted(files),
        "%,d".formatted(lines),
        "%,d".formatted(critical),
        "%,d".formatted(remarks),
        "%,d".formatted(hidden),
        "%.1f".formatted(bytes / 1e6 / seconds));
  }

  private void add(Orders other) {
    files += other.files;
    lines += other.lines;
    critical += other.critical;
    remarks += other.remarks;
    hidden += other.hidden;
    bytes += other.bytes;
    seconds += other.seconds;
  }

  private void folder(Path folder) throws IOException {
    var found = new ArrayList<Path>();
    try (var walk = Files.walk(folder)) {
      walk.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).forEach(found::add);
    }
    found.sort(null);
    for (var file : found) {
      if (Files.size(file) <= LARGEST) {
        file(folder, file);
      }
    }
  }

  private void file(Path folder, Path file) throws IOException {
    String content;
    var raw = Files.readAllBytes(file);
    try {
      content = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw)).toString();
    } catch (CharacterCodingException binary) {
      return;
    }
    if (content.indexOf('\0') >= 0) {
      return;
    }
    var path = folder.relativize(file).toString();
    var text = SourceText.of(path, content);
    files++;
    lines += text.lines();
    bytes += raw.length;
    for (var claim : OrdersToReviewer.in(List.of(text), true)) {
      if (claim.severity() == Severity.CRITICAL) {
        critical++;
        show(claim, text);
      } else {
        remarks++;
      }
    }
    var unseen = HiddenCharacters.in(List.of(text), false);
    hidden += unseen.size();
    unseen.stream().limit(1).forEach(claim -> show(claim, text));
  }

  private static void show(Claim claim, SourceText text) {
    if (claim.place() instanceof Place.Lines at) {
      System.err.println(
          "%s %s:%d [%s]"
              .formatted(claim.rule(), text.path(), at.line(), claim.evidence().orElse("")));
    }
  }
}
