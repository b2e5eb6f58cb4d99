package dev.flyball.review.symbol;

import dev.flyball.review.symbol.SyntaxTokens.TokenKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The words of a text, by whether they are names in its code or stand in its strings. */
record Mentions(List<String> names, List<String> quoted) {
  /**
   * Comments are words of nobody. Only in JavaScript, where a comment and a regular expression look
   * alike to whoever does not know the grammar, they count as strings.
   */
  static Mentions of(String text, SyntaxTokens tokens, Grammar grammar, BitSet declared) {
    Set<String> names = new HashSet<>();
    Set<String> quoted = new HashSet<>();
    boolean interpolated = LexicalRules.of(grammar.language()).contains(LexicalRules.INTERPOLATED);
    for (int i = 0; i < tokens.count(); i++) {
      int start = tokens.start(i);
      if (tokens.is(i, TokenKind.WORD)) {
        if (!declared.get(start)) {
          String word = tokens.text(i);
          if (!grammar.keyword(word)) {
            names.add(word);
          }
        }
      } else if (tokens.is(i, TokenKind.STRING)) {
        words(text, start, tokens.end(i), quoted, interpolated ? names : quoted);
      } else if (tokens.is(i, TokenKind.COMMENT) && grammar.language().isScript()) {
        words(text, start, tokens.end(i), quoted, quoted);
      }
    }
    return new Mentions(sorted(names), sorted(quoted));
  }

  /** All words of a text without a grammar. */
  static List<String> words(String text) {
    Set<String> found = new HashSet<>();
    words(text, 0, text.length(), found, found);
    return sorted(found);
  }

  private static void words(String text, int from, int to, Set<String> all, Set<String> inBraces) {
    int braces = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '{') {
        braces++;
      } else if (c == '}') {
        braces = Math.max(0, braces - 1);
      } else if (Lexer.wordly(c)) {
        boolean code = braces > 0 || c == '$';
        int start = c == '$' && i + 1 < to && Lexer.wordly(text.charAt(i + 1)) ? i + 1 : i;
        while (i < to && Lexer.wordly(text.charAt(i))) {
          i++;
        }
        if (!Character.isDigit(text.charAt(start))) {
          String word = text.substring(start, i);
          all.add(word);
          if (code) {
            inBraces.add(word);
          }
        }
        i--;
      }
    }
  }

  private static List<String> sorted(Set<String> words) {
    List<String> list = new ArrayList<>(words);
    list.sort(null);
    return list;
  }
}
