package dev.flyball.review.symbol;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treesitter.TSInputEncoding;
import org.treesitter.TSLanguage;
import org.treesitter.TSNode;
import org.treesitter.TSParser;
import org.treesitter.TSTree;

/** The syntax tree of a text, in memory that is not Java's until it is closed. */
public final class SyntaxTree implements AutoCloseable {
  /** Some texts of a few thousand characters keep the parser busy for hours. */
  static final Duration LONGEST = Duration.ofSeconds(4);

  /** More characters than people write into one file. */
  static final int LARGEST = 2_000_000;

  private static final int CHUNK = 8_192;

  private final TSTree tree;
  private final Grammar grammar;
  private final String text;

  private SyntaxTree(TSTree tree, Grammar grammar, String text) {
    this.tree = tree;
    this.grammar = grammar;
    this.text = text;
  }

  /** Of a text that is parsed as long as it does not take too long; empty if it is too large. */
  public static Optional<SyntaxTree> of(Language language, String text) {
    return inTime(late -> of(clean(text), Grammar.of(language), late));
  }

  /** Lets something look at a clock that strikes when a text has taken too long. */
  public static <T> T inTime(Function<BooleanSupplier, T> work) {
    var deadline =
        new CompletableFuture<@Nullable Void>()
            .orTimeout(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    try {
      return work.apply(deadline::isDone);
    } finally {
      deadline.complete(null);
    }
  }

  /** The parser's own name of a language, by which queries are compiled. */
  public static TSLanguage parser(Language language) {
    return Grammar.of(language).parser();
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
            "the grammar of %s does not fit the parser".formatted(grammar.language().title()));
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
      return Optional.of(new SyntaxTree(tree, grammar, text));
    }
  }

  public TSNode root() {
    return tree.getRootNode();
  }

  public Language language() {
    return grammar.language();
  }

  /** What was parsed; of the same length as what was handed in. */
  public String text() {
    return text;
  }

  Grammar grammar() {
    return grammar;
  }

  /** The offset of a node's first character. */
  public static int start(TSNode node) {
    return node.getStartByte() / 2;
  }

  /** The offset behind a node's last character. */
  public static int end(TSNode node) {
    return node.getEndByte() / 2;
  }

  /** Of the same length, without a mark at its beginning and without halves of characters. */
  static String clean(String text) {
    String whole = text.startsWith("\uFEFF") ? ' ' + text.substring(1) : text;
    boolean halves = whole.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF);
    return halves
        ? new String(whole.getBytes(StandardCharsets.UTF_16LE), StandardCharsets.UTF_16LE)
        : whole;
  }

  @Override
  public void close() {
    tree.close();
  }
}
