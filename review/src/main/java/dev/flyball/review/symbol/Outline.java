package dev.flyball.review.symbol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The names that a file declares, takes from elsewhere, and mentions.
 *
 * @param lines how many
 * @param symbols in the order of the file
 * @param names all that it mentions, apart from the declarations of its own symbols; sorted, each
 *     once
 * @param quoted the words in its strings, by which code may be found at run time; sorted, each once
 */
public record Outline(
    Optional<Language> language,
    ParseQuality reading,
    int lines,
    List<Symbol> symbols,
    List<Import> imports,
    List<String> names,
    List<String> quoted) {
  /** Of how outlines are made and written; another one's are not read. */
  public static final int VERSION = 2;

  public Outline {
    if (lines < 0) {
      throw new IllegalArgumentException("a file has 0 lines or more, but had %d".formatted(lines));
    }
    symbols = List.copyOf(symbols);
    imports = List.copyOf(imports);
    names = List.copyOf(names);
    quoted = List.copyOf(quoted);
  }

  /** Of a text that is parsed as long as it does not take too long, and guessed at otherwise. */
  public static Outline of(String path, String text) {
    var deadline =
        new CompletableFuture<@Nullable Void>()
            .orTimeout(SyntaxTree.LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    try {
      return of(path, text, deadline::isDone);
    } finally {
      deadline.complete(null);
    }
  }

  /**
   * The same by another clock.
   *
   * @param late whether parsing has taken too long
   */
  static Outline of(String path, String text, BooleanSupplier late) {
    String clean = clean(text);
    return Language.of(path)
        .map(language -> parsed(language, path, clean, late))
        .orElseGet(() -> GuessedOutline.of(path, clean));
  }

  private static Outline parsed(Language language, String path, String text, BooleanSupplier late) {
    Grammar grammar = Grammar.of(language);
    SyntaxTokens tokens = Lexer.read(text, language);
    Optional<SyntaxTree> tree = SyntaxTree.of(text, grammar, late);
    if (tree.isEmpty()) {
      Outline guess = GuessedOutline.of(path, text);
      Mentions mentions = Mentions.of(text, tokens, grammar, new BitSet());
      return new Outline(
          Optional.of(language),
          ParseQuality.GUESSED,
          guess.lines(),
          guess.symbols(),
          List.of(),
          mentions.names(),
          mentions.quoted());
    }
    try (SyntaxTree syntax = tree.get()) {
      var lines = new LineStarts(text);
      OutlineBuilder.Found found = OutlineBuilder.of(syntax, text, grammar, tokens, lines);
      Mentions mentions = Mentions.of(text, tokens, grammar, found.names());
      ParseQuality reading =
          found.tooDeep()
              ? ParseQuality.TOO_DEEP
              : syntax.root().hasError() ? ParseQuality.PARTLY : ParseQuality.PARSED;
      return new Outline(
          Optional.of(language),
          reading,
          lines.count(),
          found.symbols(),
          found.imports(),
          mentions.names(),
          mentions.quoted());
    }
  }

  /** Of the same length, without a mark at its beginning and without halves of characters. */
  private static String clean(String text) {
    String whole = text.startsWith("\uFEFF") ? ' ' + text.substring(1) : text;
    boolean halves = whole.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF);
    return halves
        ? new String(whole.getBytes(StandardCharsets.UTF_16LE), StandardCharsets.UTF_16LE)
        : whole;
  }

  /** The innermost function or type that has this line. */
  public Optional<Symbol> enclosing(int line) {
    Symbol innermost = null;
    for (Symbol symbol : symbols) {
      if (symbol.line() <= line
          && line <= symbol.endLine()
          && (symbol.kind().runs() || symbol.kind().holds())
          && (innermost == null
              || symbol.endLine() - symbol.line() <= innermost.endLine() - innermost.line())) {
        innermost = symbol;
      }
    }
    return Optional.ofNullable(innermost);
  }

  public void write(DataOutput out) throws IOException {
    OutlineCodec.write(this, out);
  }

  /** What {@link #write} wrote; anything else is an {@link IOException}. */
  public static Outline read(DataInput in) throws IOException {
    return OutlineCodec.read(in);
  }
}
