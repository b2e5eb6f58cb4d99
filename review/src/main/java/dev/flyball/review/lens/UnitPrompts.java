package dev.flyball.review.lens;

import dev.flyball.review.lens.Lens.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The words that units are asked in. The rules are the same in all of them and stand first; the
 * code comes next, between lines that nothing in it can imitate; the question of a lens comes last,
 * so that providers can cache what lenses on one model have in common.
 */
public final class UnitPrompts {
  /** Goes up whenever a prompt changes its meaning: answers to older ones are asked again. */
  public static final int VERSION = 4;

  private static final String PREAMBLE = resource("preamble.md");
  private static final String FINDINGS = resource("reply-findings.md");
  private static final String SYMBOLS = resource("reply-symbols.md");
  private static final String ACROSS = resource("across.md");

  private UnitPrompts() {}

  /** What is said before the code, whatever is asked: the rules, and the form of an answer. */
  public static String rules(Reply reply) {
    return PREAMBLE
        + "\n# The answer\n\n"
        + switch (reply) {
          case FINDINGS -> FINDINGS;
          case SYMBOLS -> SYMBOLS;
        };
  }

  /** What is said after the code, for these lenses. */
  public static String question(List<Lens> lenses) {
    var text = new StringBuilder(lenses.size() == 1 ? "# The question\n" : "# The questions\n");
    for (var lens : lenses) {
      text.append("\n## ").append(lens.name()).append("\n\n").append(lens.question());
      text.append("\n\n").append(lens.instructions().strip()).append('\n');
    }
    return text.toString();
  }

  /** The same for the pass across all parts of a change. */
  public static String across() {
    return "# The question\n\n## across\n\n" + ACROSS;
  }

  static String resource(String name) {
    try (var in = UnitPrompts.class.getResourceAsStream(name)) {
      return new String(
          Objects.requireNonNull(in, name + " is missing").readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
