package dev.flyball.review.symbol;

import dev.flyball.review.symbol.SyntaxTokens.TokenKind;
import java.util.HashSet;
import java.util.Set;

/** The part of a declaration before the name: modifiers, annotations, keywords. */
final class DeclarationHeader {
  /** A longer one belongs to the hundredth name of a long list, and says no more. */
  private static final int LONGEST = 200;

  private final Set<String> words = new HashSet<>();
  private final Set<String> marks = new HashSet<>();
  private final String first;

  DeclarationHeader(SyntaxTokens tokens, int from, int to) {
    int index = tokens.from(from);
    first = index < tokens.count() ? tokens.text(index) : "";
    for (int i = index; i < tokens.count() && tokens.start(i) < to && i < index + LONGEST; i++) {
      if (tokens.is(i, TokenKind.WORD)) {
        words.add(tokens.text(i));
      } else if (tokens.is(i, TokenKind.MARK)) {
        marks.add(tokens.text(i));
      }
    }
  }

  boolean has(String word) {
    return words.contains(word);
  }

  boolean annotated(Language language) {
    return switch (language) {
      case JAVA, PYTHON, JAVASCRIPT, TYPESCRIPT, TSX, KOTLIN -> marks.contains("@");
      case RUST -> first.equals("#");
      case CPP, C_SHARP -> first.equals("[");
      case GO, C -> false;
    };
  }
}
