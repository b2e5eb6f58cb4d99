package dev.flyball.batch;

import dev.flyball.run.BadInput;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The pass over the whole input before anything is sent: every line is read and understood, none is
 * twice there, and the index is made.
 */
final class InputCheck {
  private static final int SHOWN = 20;
  private static final int LINES_A_LOOK = 1_024;

  private final InputLine.Plain plain;
  private final Router router;
  private final long first;
  private final boolean skipInvalid;
  private final Map<String, LineRanges> lines = new LinkedHashMap<>();
  private final Set<Integer> dropped = new HashSet<>();
  private long invalid;

  InputCheck(InputLine.Plain plain, Router router, long first, boolean skipInvalid) {
    this.plain = plain;
    this.router = router;
    this.first = first;
    this.skipInvalid = skipInvalid;
  }

  /** Lines that were left out because they are wrong. */
  long invalid() {
    return invalid;
  }

  /** The numbers of those that are in the index all the same: their id was there before. */
  Set<Integer> dropped() {
    return Set.copyOf(dropped);
  }

  /** What was wrong with them, for people: each once, with its lines; not more than twenty. */
  List<String> problems() {
    return lines.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.comparingInt(LineRanges::first)))
        .map(each -> each.getValue() + ": " + each.getKey())
        .toList();
  }

  /** Fills the index, or says everything that is wrong. */
  void run(FileChannel input, LineIndex index, Batch.Checking checking)
      throws IOException, BadInput {
    long size = input.size();
    var ids = new IdHashes();
    var hashes = new IdHashes.Fingerprints();
    var scanner = new LineScanner(input::read);
    for (int number = 1; index.count() < first && scanner.next(); number++) {
      try {
        if (!scanner.blank()) {
          var entry = entry(scanner, number, hashes);
          ids.add(entry.id());
          index.add(entry);
        }
      } catch (BadInput wrong) {
        problem(number, String.valueOf(wrong.getMessage()));
      }
      if (number % LINES_A_LOOK == 0) {
        checking.at(scanner.end(), size);
      }
    }
    index.flush();
    var twice = ids.sorted().twice();
    if (twice.count() > 0) {
      duplicates(input, index, twice);
    }
    if (invalid > 0 && !skipInvalid) {
      throw new BadInput(
          String.join("\n", problems())
              + (shown() < invalid ? "\nand %,d more".formatted(invalid - shown()) : "")
              + "\n%,d line%s cannot be sent: fix them, or pass --skip-invalid. Nothing was sent."
                  .formatted(invalid, invalid == 1 ? "" : "s"));
    }
    if (index.count() == 0) {
      throw new BadInput("the input has no lines to send. Nothing was sent.");
    }
  }

  private void problem(int line, String what) {
    invalid++;
    if (lines.containsKey(what) || lines.size() < SHOWN) {
      lines.computeIfAbsent(what, first -> new LineRanges()).add(line);
    }
  }

  private LineIndex.Entry entry(LineScanner lines, int number, IdHashes.Fingerprints hashes)
      throws BadInput {
    if (lines.length() == LineScanner.LONGEST) {
      throw new BadInput("longer than 64 MiB");
    }
    var line = InputLine.read(lines.bytes(), lines.length(), number, plain);
    long weight = line.prompt().maxOutput().orElse(0) * 16 + line.body().length;
    return new LineIndex.Entry(
        lines.offset(),
        lines.length(),
        router.route(line),
        hashes.of(line.id()),
        hashes.of(line.body()),
        (int) Math.min(weight, Integer.MAX_VALUE),
        number);
  }

  private long shown() {
    return lines.values().stream().mapToLong(LineRanges::count).sum();
  }

  /** Two fingerprints alike: only the ids themselves say whether a line is twice there. */
  private void duplicates(FileChannel input, LineIndex index, IdHashes twice)
      throws IOException, BadInput {
    Map<String, Integer> seen = new HashMap<>();
    var scan = index.scan();
    for (var next = scan.next(); next.isPresent(); next = scan.next()) {
      var entry = next.get();
      if (!twice.contains(entry.id())) {
        continue;
      }
      var id = InputLine.at(input, entry, plain).id();
      var earlier = seen.putIfAbsent(id, entry.number());
      if (earlier != null) {
        problem(entry.number(), "custom_id '%s' is also that of line %,d".formatted(id, earlier));
        dropped.add(entry.number());
      }
    }
  }

  /**
   * The numbers of lines, as people write them: {@code lines 1-40, 44}. They come in their order.
   */
  private static final class LineRanges {
    private static final int FEW = 5;

    private record Range(int from, int to) {
      @Override
      public String toString() {
        return from == to ? "%,d".formatted(from) : "%,d-%,d".formatted(from, to);
      }
    }

    private final List<Range> ranges = new ArrayList<>();
    private long count;

    void add(int line) {
      count++;
      if (!ranges.isEmpty() && ranges.getLast().to() == line - 1) {
        ranges.add(new Range(ranges.removeLast().from(), line));
      } else {
        ranges.add(new Range(line, line));
      }
    }

    int first() {
      return ranges.getFirst().from();
    }

    long count() {
      return count;
    }

    @Override
    public String toString() {
      var some = ranges.stream().limit(FEW).map(Range::toString).collect(Collectors.joining(", "));
      return (count == 1 ? "line " : "lines ")
          + some
          + (ranges.size() > FEW ? ", ... (%,d in all)".formatted(count) : "");
    }
  }
}
