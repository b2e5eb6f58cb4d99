package dev.flyball.review.secret;

import java.util.EnumMap;
import java.util.Map;

/**
 * How far the characters of an alphabet go on in a text. The last answer for each alphabet is kept,
 * so that no character is looked at again for every place in front of it.
 */
final class Runs {
  private static final class Run {
    private int from;
    private int to;
  }

  private final CharSequence text;
  private final Map<Alphabet, Run> last = new EnumMap<>(Alphabet.class);

  Runs(CharSequence text) {
    this.text = text;
  }

  /** Behind the last of those characters that begin at a place; the place itself if none does. */
  int end(Alphabet alphabet, int at) {
    var run = last.computeIfAbsent(alphabet, none -> new Run());
    if (at < run.from || at >= run.to) {
      int end = at;
      while (end < text.length() && alphabet.has(text.charAt(end))) {
        end++;
      }
      run.from = at;
      run.to = end;
    }
    return Math.max(at, run.to);
  }
}
