package dev.flyball.review.symbol;

import java.util.Arrays;

/** The words, literals, comments and marks of a text, in their order, by where they are. */
public final class SyntaxTokens {
  /** The sort of a token. */
  public enum TokenKind {
    WORD,
    NUMBER,
    STRING,
    COMMENT,
    MARK
  }

  private final String text;
  private int[] starts = new int[256];
  private int[] ends = new int[256];
  private TokenKind[] sorts = new TokenKind[256];
  private int count;

  SyntaxTokens(String text) {
    this.text = text;
  }

  /** Of a text in some language. */
  public static SyntaxTokens of(Language language, String text) {
    return Lexer.read(text, language);
  }

  void add(TokenKind sort, int start, int end) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      sorts = Arrays.copyOf(sorts, 2 * count);
    }
    starts[count] = start;
    ends[count] = end;
    sorts[count] = sort;
    count++;
  }

  void begin(int index, int start) {
    starts[index] = start;
  }

  public int count() {
    return count;
  }

  public int start(int index) {
    return starts[index];
  }

  public int end(int index) {
    return ends[index];
  }

  public TokenKind sort(int index) {
    return sorts[index];
  }

  public String text(int index) {
    return text.substring(starts[index], ends[index]);
  }

  public boolean is(int index, String word) {
    return index >= 0
        && index < count
        && ends[index] - starts[index] == word.length()
        && text.startsWith(word, starts[index]);
  }

  boolean is(int index, TokenKind sort) {
    return index >= 0 && index < count && sorts[index] == sort;
  }

  /** The first token that does not begin before there. */
  int from(int offset) {
    int found = Arrays.binarySearch(starts, 0, count, offset);
    return found < 0 ? -found - 1 : found;
  }
}
