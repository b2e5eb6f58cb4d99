package dev.flyball.review.check;

import java.util.ArrayList;
import java.util.List;

/** The words of a sentence, each with the line that it stands on. */
final class Sentence {
  private final List<String> words = new ArrayList<>();
  private final List<Integer> lines = new ArrayList<>();
  private final List<Boolean> breaks = new ArrayList<>();
  private final StringBuilder pictures = new StringBuilder();

  int size() {
    return words.size();
  }

  String word(int at) {
    return words.get(at);
  }

  int line(int at) {
    return lines.get(at);
  }

  /** Whether something like a comma, a colon or a dash stands before a word. */
  boolean isBreak(int at) {
    return breaks.get(at);
  }

  String pictures() {
    return pictures.toString();
  }

  void picture(int character, int line) {
    pictures.appendCodePoint(character);
    if (words.isEmpty()) {
      add("", line, false);
    } else {
      lines.set(lines.size() - 1, Math.max(line, lines.getLast()));
    }
  }

  void add(String word, int line, boolean breaks) {
    words.add(word);
    lines.add(line);
    this.breaks.add(breaks);
  }

  boolean has(int from, List<String> some) {
    return from + some.size() <= words.size()
        && words.subList(from, from + some.size()).equals(some);
  }

  /** One word in the place of several. */
  void replace(int from, int count, String word) {
    words.set(from, word);
    words.subList(from + 1, from + count).clear();
    lines.subList(from + 1, from + count).clear();
    breaks.subList(from + 1, from + count).clear();
  }

  /** The words from one to another. */
  String text(int first, int last) {
    return pictures.isEmpty()
        ? String.join(" ", words.subList(first, last + 1))
        : pictures.toString();
  }

  boolean isEmpty() {
    return words.isEmpty() && pictures.isEmpty();
  }

  /** The last words of it, as the beginning of the next. */
  Sentence tail(int count) {
    var tail = new Sentence();
    for (int i = Math.max(0, size() - count); i < size(); i++) {
      tail.add(words.get(i), lines.get(i), breaks.get(i));
    }
    return tail;
  }
}
