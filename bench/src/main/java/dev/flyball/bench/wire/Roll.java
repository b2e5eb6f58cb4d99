package dev.flyball.bench.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * The roll of a file of numbered calls: how many were answered once, more often, and never. It
 * takes two bits a call, so that the judge has room where the judged has not.
 */
public record Roll(long once, long more, long never) {
  /** Writes a file of small prompts. */
  public static void write(Path file, int lines) throws IOException {
    try (var out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < lines; i++) {
        out.write(
            "{\"custom_id\":\"%s\",\"prompt\":\"What is %d squared?\",\"max_tokens\":20}%n"
                .formatted(BenchRequest.id(i), i));
      }
    }
  }

  /** Calls the roll in a file of answers. */
  public static Roll call(Path answers, int lines) throws IOException {
    var here = new BitSet(lines);
    var twice = new BitSet(lines);
    try (var all = Files.lines(answers)) {
      all.mapToInt(Roll::number).forEach(number -> (here.get(number) ? twice : here).set(number));
    }
    if (here.length() > lines) {
      throw new IOException("there is an answer to a call that was not asked: " + here.length());
    }
    long more = twice.cardinality();
    return new Roll(here.cardinality() - more, more, lines - here.cardinality());
  }

  private static int number(String line) {
    var id = Judgement.line(line).path("custom_id").asText();
    return Integer.parseInt(id.substring(BenchRequest.id(0).length() - 1));
  }
}
