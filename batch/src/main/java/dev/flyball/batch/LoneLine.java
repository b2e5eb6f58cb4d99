package dev.flyball.batch;

import dev.flyball.call.Priority;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.Sha256;
import dev.flyball.run.BadInput;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A line of a file of prompts that goes its way alone, as through a queue.
 *
 * @param number in its file, from 1; a line without an id is named by it
 * @param text of the line, without its newline
 * @param model for a line that has only a prompt
 * @param maxTokens the longest answer, for the same
 */
public record LoneLine(
    long number, String text, Optional<String> model, OptionalLong maxTokens, Priority priority) {
  private static final int MOST_PROBLEMS = 10;
  private static final int DIGEST_BYTES = 16;

  /**
   * A line that was found to be one.
   *
   * @param id by which its answer is known
   * @param digest of all that it asks
   */
  public record Checked(LoneLine line, String id, String digest) {}

  /**
   * Reads all lines of a file.
   *
   * @param model for lines that have only a prompt
   * @throws BadInput if one is none, or two have one id; with the numbers of the first ten
   */
  public static List<Checked> read(
      Path file, Optional<String> model, OptionalLong maxTokens, Priority priority)
      throws IOException, BadInput {
    var all = new ArrayList<Checked>();
    var problems = new ArrayList<String>();
    var numbers = new HashMap<String, Long>();
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      var lines = new LineScanner(channel::read);
      for (long number = 1; lines.next() && problems.size() < MOST_PROBLEMS; number++) {
        if (lines.blank()) {
          continue;
        }
        var text = new String(lines.bytes(), 0, lines.length(), StandardCharsets.UTF_8);
        var line = new LoneLine(number, text, model, maxTokens, priority);
        try {
          var id = line.understood(Optional.empty()).id();
          var earlier = numbers.putIfAbsent(id, number);
          if (earlier != null) {
            throw new BadInput("the id %s is that of line %,d".formatted(id, earlier));
          }
          all.add(new Checked(line, id, line.digest()));
        } catch (BadInput wrong) {
          problems.add("line %,d: %s".formatted(number, wrong.getMessage()));
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new BadInput(
          "%s: nothing was added\n  %s".formatted(file, String.join("\n  ", problems)));
    }
    return all;
  }

  private String digest() {
    var whole = text + '\0' + model.orElse("") + '\0' + maxTokens.orElse(-1);
    return HexFormat.of().formatHex(Sha256.of(whole), 0, DIGEST_BYTES);
  }

  InputLine understood(Optional<Dialect> spoken) throws BadInput {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    return InputLine.read(
        bytes,
        bytes.length,
        number,
        new InputLine.Plain(model, maxTokens, spoken, Optional.empty()));
  }
}
