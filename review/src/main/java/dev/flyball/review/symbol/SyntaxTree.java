package dev.flyball.review.symbol;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.treesitter.TSInputEncoding;
import org.treesitter.TSNode;
import org.treesitter.TSParser;
import org.treesitter.TSTree;

/** The syntax tree of a text, in memory that is not Java's until it is closed. */
final class SyntaxTree implements AutoCloseable {
  /** Some texts of a few thousand characters keep the parser busy for hours. */
  static final Duration LONGEST = Duration.ofSeconds(4);

  /** More characters than people write into one file. */
  static final int LARGEST = 2_000_000;

  private static final int CHUNK = 8_192;

  private final TSTree tree;

  private SyntaxTree(TSTree tree) {
    this.tree = tree;
  }

  /** Empty if the text is too large, or took too long. */
  static Optional<SyntaxTree> of(String text, Grammar grammar, BooleanSupplier late) {
    if (text.length() > LARGEST) {
      return Optional.empty();
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_16LE);
    try (var parser = new TSParser()) {
      if (!parser.setLanguage(grammar.parser())) {
        throw new IllegalStateException(
            "the grammar of %s is of another time than the parser"
                .formatted(grammar.language().title()));
      }
      @Nullable TSTree tree =
          parser.parseWithOptions(
              new byte[CHUNK],
              null,
              (chunk, offset, point) -> {
                int length = Math.min(chunk.length, bytes.length - offset);
                if (length <= 0 || late.getAsBoolean()) {
                  return 0;
                }
                System.arraycopy(bytes, offset, chunk, 0, length);
                return length;
              },
              TSInputEncoding.TSInputEncodingUTF16LE,
              state -> late.getAsBoolean());
      if (tree == null) {
        return Optional.empty();
      }
      if (late.getAsBoolean()) {
        tree.close();
        return Optional.empty();
      }
      return Optional.of(new SyntaxTree(tree));
    }
  }

  TSNode root() {
    return tree.getRootNode();
  }

  static int start(TSNode node) {
    return node.getStartByte() / 2;
  }

  static int end(TSNode node) {
    return node.getEndByte() / 2;
  }

  @Override
  public void close() {
    tree.close();
  }
}
