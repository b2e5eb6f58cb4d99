package dev.flyball.batch;

import dev.flyball.run.BadInput;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pass over the whole input before anything is sent: every line is read and understood, none is
 * twice there, and the index is made.
 */
final class InputCheck {
  private static final int SHOWN = 20;

  private final InputLine.Plain plain;
  private final Router router;
  private final long first;
  private final boolean skipInvalid;
  private final List<String> problems = new ArrayList<>();
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

  /** What was wrong with them, for people; not more than twenty. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** Fills the index, or says everything that is wrong. */
  void run(FileChannel input, LineIndex index) throws IOException, BadInput {
    var ids = new IdHashes();
    var hashes = new LineHash();
    var lines = new LineScanner(input::read);
    for (int number = 1; index.count() < first && lines.next(); number++) {
      try {
        if (!lines.blank()) {
          var entry = entry(lines, number, hashes);
          ids.add(entry.id());
          index.add(entry);
        }
      } catch (BadInput wrong) {
        problem("line %,d: %s".formatted(number, wrong.getMessage()));
      }
    }
    index.flush();
    var twice = ids.sorted().twice();
    if (twice.count() > 0) {
      duplicates(input, index, twice);
    }
    if (invalid > 0 && !skipInvalid) {
      throw new BadInput(
          String.join("\n", problems)
              + (invalid > problems.size() ? "\nand %,d more".formatted(invalid - SHOWN) : "")
              + ("\n%,d line%s cannot be sent; put right what is wrong, or go on without with"
                      + " --skip-invalid. Nothing was sent.")
                  .formatted(invalid, invalid == 1 ? "" : "s"));
    }
    if (index.count() == 0) {
      throw new BadInput("there is no line to send in the input. Nothing was sent.");
    }
  }

  private void problem(String text) {
    invalid++;
    if (problems.size() < SHOWN) {
      problems.add(text);
    }
  }

  private LineIndex.Entry entry(LineScanner lines, int number, LineHash hashes) throws BadInput {
    if (lines.length() == LineScanner.LONGEST) {
      throw new BadInput("a line has at most 64 MiB");
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
      var id = InputLines.line(input, entry, plain).id();
      var earlier = seen.putIfAbsent(id, entry.number());
      if (earlier != null) {
        problem(
            "line %,d: custom_id '%s' is that of line %,d".formatted(entry.number(), id, earlier));
        dropped.add(entry.number());
      }
    }
  }
}
