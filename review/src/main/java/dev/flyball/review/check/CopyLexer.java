package dev.flyball.review.check;

import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.SyntaxTokens;
import dev.flyball.review.symbol.SyntaxTokens.TokenKind;
import java.util.Set;
import net.sourceforge.pmd.cpd.CpdLexer;
import net.sourceforge.pmd.cpd.TokenFactory;
import net.sourceforge.pmd.lang.document.TextDocument;

/**
 * The tokens of a text by which code is compared: no comments, so that licences are no copies; no
 * imports, which look alike everywhere; and no tables, which are data.
 */
final class CopyLexer implements CpdLexer {
  /** So many literals and marks in a row, with hardly a word between them, are a table. */
  private static final int TABLE = 60;

  private static final Set<String> IMPORTING =
      Set.of("import", "from", "using", "package", "use", "include");

  private final Language language;

  CopyLexer(Language language) {
    this.language = language;
  }

  @Override
  public void tokenize(TextDocument document, TokenFactory out) {
    var text = document.getText().toString();
    var tokens = SyntaxTokens.of(language, text);
    int line = 1;
    int begin = 0;
    int at = 0;
    boolean importing = false;
    int last = 0;
    for (int i = 0; i < tokens.count(); i++) {
      if (tokens.sort(i) == TokenKind.COMMENT) {
        continue;
      }
      for (; at < tokens.start(i); at++) {
        if (text.charAt(at) == '\n') {
          line++;
          begin = at + 1;
        }
      }
      if (line != last) {
        importing = imports(tokens, i);
        last = line;
      }
      if (importing) {
        continue;
      }
      int end = tableEnd(tokens, i);
      if (end - i >= TABLE) {
        // A token that nothing else has: what is before a table and what is behind it are apart.
        out.recordToken(
            document.getFileId().getOriginalPath() + " " + i,
            line,
            tokens.start(i) - begin + 1,
            line,
            tokens.start(i) - begin + 2);
        i = end - 1;
        continue;
      }
      record(tokens, i, line, begin, text, out);
    }
  }

  private static void record(
      SyntaxTokens tokens, int i, int line, int begin, String text, TokenFactory out) {
    int endLine = line;
    int endBegin = begin;
    for (int k = tokens.start(i); k < tokens.end(i) - 1; k++) {
      if (text.charAt(k) == '\n') {
        endLine++;
        endBegin = k + 1;
      }
    }
    out.recordToken(
        tokens.text(i),
        line,
        tokens.start(i) - begin + 1,
        endLine,
        Math.max(1, tokens.end(i) - endBegin + 1));
  }

  private static boolean imports(SyntaxTokens tokens, int i) {
    int word = tokens.is(i, "#") || tokens.is(i, "pub") ? i + 1 : i;
    return word < tokens.count()
        && tokens.sort(word) == TokenKind.WORD
        && IMPORTING.contains(tokens.text(word));
  }

  /** Where a run of literals and marks ends that begins here. */
  private static int tableEnd(SyntaxTokens tokens, int from) {
    int i = from;
    while (i < tokens.count() && isOfTable(tokens, i)) {
      i++;
    }
    return i;
  }

  private static boolean isOfTable(SyntaxTokens tokens, int i) {
    return switch (tokens.sort(i)) {
      case NUMBER, STRING, COMMENT -> true;
      case MARK ->
          tokens.is(i, ",")
              || tokens.is(i, "{")
              || tokens.is(i, "}")
              || tokens.is(i, "[")
              || tokens.is(i, "]")
              || tokens.is(i, "(")
              || tokens.is(i, ")")
              || tokens.is(i, ":")
              || tokens.is(i, "-");
      case WORD ->
          tokens.is(i, "true")
              || tokens.is(i, "false")
              || tokens.is(i, "null")
              || tokens.is(i, "None");
    };
  }
}
