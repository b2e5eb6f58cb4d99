package dev.flyball.review.lens;

import dev.flyball.review.lens.Lens.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The words that units are asked in. What stays the same from unit to unit stands first, so that
 * providers can cache it; the code comes last, between lines that nothing in it can imitate.
 */
public final class UnitPrompts {
  /** Goes up whenever a prompt changes its meaning: answers to older ones are asked again. */
  public static final int VERSION = 2;

  private static final String PREAMBLE = resource("preamble.md");
  private static final String FINDINGS = resource("reply-findings.md");
  private static final String SYMBOLS = resource("reply-symbols.md");
  private static final String ACROSS = resource("across.md");

  private UnitPrompts() {}

  /** What is said before the code, for these lenses. */
  public static String question(List<Lens> lenses) {
    var text = new StringBuilder(PREAMBLE);
    for (var lens : lenses) {
      text.append("\n## ").append(lens.name()).append("\n\n").append(lens.question());
      text.append("\n\n").append(lens.instructions().strip()).append('\n');
    }
    boolean symbols = lenses.getFirst().reply() == Reply.SYMBOLS;
    return text.append("\n## Answer\n\n").append(symbols ? SYMBOLS : FINDINGS).toString();
  }

  /** The same for the pass across all parts of a change. */
  public static String across() {
    return PREAMBLE + "\n## across\n\n" + ACROSS + "\n## Answer\n\n" + FINDINGS;
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
