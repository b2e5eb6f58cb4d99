package dev.flyball.review.symbol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

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
  public static final int VERSION = 3;

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
    return SyntaxTree.inTime(late -> of(path, text, late));
  }

  /**
   * The same by another clock.
   *
   * @param late whether parsing has taken too long
   */
  static Outline of(String path, String text, BooleanSupplier late) {
    String clean = SyntaxTree.clean(text);
    Optional<Language> language = Language.of(path);
    if (language.isEmpty()) {
      return GuessedOutline.of(path, clean);
    }
    Optional<SyntaxTree> tree = SyntaxTree.of(clean, Grammar.of(language.get()), late);
    if (tree.isEmpty()) {
      return unparsed(language.get(), path, clean);
    }
    try (SyntaxTree syntax = tree.get()) {
      return of(syntax);
    }
  }

  /** Of a text that took too long to parse, or is too large. */
  public static Outline unparsed(Language language, String path, String text) {
    Outline guess = GuessedOutline.of(path, text);
    Mentions mentions =
        Mentions.of(text, Lexer.read(text, language), Grammar.of(language), new BitSet());
    return new Outline(
        Optional.of(language),
        ParseQuality.GUESSED,
        guess.lines(),
        guess.symbols(),
        List.of(),
        mentions.names(),
        mentions.quoted());
  }

  /** Of a text that is parsed. */
  public static Outline of(SyntaxTree syntax) {
    String text = syntax.text();
    Grammar grammar = syntax.grammar();
    SyntaxTokens tokens = Lexer.read(text, grammar.language());
    var lines = new LineStarts(text);
    OutlineBuilder.Found found = OutlineBuilder.of(syntax, text, grammar, tokens, lines);
    Mentions mentions = Mentions.of(text, tokens, grammar, found.names());
    ParseQuality reading =
        found.tooDeep()
            ? ParseQuality.TOO_DEEP
            : syntax.root().hasError() ? ParseQuality.PARTLY : ParseQuality.PARSED;
    return new Outline(
        Optional.of(grammar.language()),
        reading,
        lines.count(),
        found.symbols(),
        found.imports(),
        mentions.names(),
        mentions.quoted());
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
