package dev.flyball.review.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Cuts the lines of a file into sentences. Comments that follow each other are one text, without
 * their signs and whatever code stands before them; so is prose. A sentence that does not end is
 * cut into pieces that overlap.
 */
final class SentenceReader {
  private static final int LONGEST = 80;
  private static final int OVERLAP = 20;
  private static final int SPELT_OUT = 4;
  private static final int LONGEST_WORD = 16;
  private static final int PARTS_OF_A_NAME = 3;
  private static final String ENDS = ".!?;。！？；";
  private static final String BREAKS = "#/,:-–—\"'`*()[]{}|>=，：、「」";
  private static final List<String> MARKERS =
      List.of(
          "<!--", "-->", "\"\"\"", "'''", "//", "/*", "*/", "--", "#", "*", ";", "%", ">", "|", "+",
          "\\");
  private static final List<String> TRAILING = List.of("//", "/*", "#", "<!--", "--");
  private static final String REMARK = "flyball:ignore";
  private static final String CODE = "{}=;()<>[]";

  /**
   * A text under a name of its own, as in files of translations: one has nothing to do with the
   * next.
   */
  private static final Pattern KEYED =
      Pattern.compile(
          "(?:\"[^\"]{1,80}+\"|'[^']{1,80}+'|[\\p{L}\\p{N}_.$-]{1,80}+)\\s{0,8}+(?::|=>?)\\s{0,8}+[\"'`]");

  private static final Pattern CLOSED = Pattern.compile("[\"'`][\\s,;)}\\]]{0,8}+$");

  private final OrderPhrases phrases;
  private final Consumer<Sentence> sentences;
  private Sentence open = new Sentence();
  private final StringBuilder spelt = new StringBuilder();
  private int speltEnd;
  private boolean speltBroken;
  private boolean broken;

  SentenceReader(OrderPhrases phrases, Consumer<Sentence> sentences) {
    this.phrases = phrases;
    this.sentences = sentences;
  }

  /** The next line of a file. */
  void line(String raw, int number) {
    var decoded = Disguises.escapes(raw);
    Disguises.readable(raw).forEach(text -> alone(text, number));
    var line = decoded.strip();
    if (line.isEmpty()) {
      end();
      return;
    }
    if (line.contains(REMARK)) {
      end();
      alone(withoutRules(line), number);
      return;
    }
    if (KEYED.matcher(line).lookingAt()) {
      end();
      words(line, number);
      if (CLOSED.matcher(line).find()) {
        end();
      }
      return;
    }
    var plain = withoutMarkers(line);
    if (plain.length() < line.length()) {
      words(plain, number);
      return;
    }
    int comment = trailing(line);
    if (comment > 0) {
      words(withoutMarkers(line.substring(comment)), number);
      boolean text = "\"'`".indexOf(line.charAt(comment)) >= 0;
      alone(text ? line : line.substring(0, comment), number);
    } else if (isProse(line)) {
      words(line, number);
    } else {
      end();
      words(line, number);
      end();
    }
  }

  /** A text by itself, such as a name: its words are set off by anything that is no letter. */
  void name(String name) {
    alone(Disguises.escapes(name).replace('_', ' ').replace('.', ' ').replace(';', ' '), 1);
  }

  /** A text that has nothing to do with what is before and after it. */
  void alone(String text, int number) {
    var other = new SentenceReader(phrases, sentences);
    other.words(text, number);
    other.end();
  }

  /** Nothing more comes. */
  void end() {
    spell(open.size() == 0 ? 1 : open.line(open.size() - 1));
    if (!open.isEmpty()) {
      sentences.accept(open);
      open = new Sentence();
    }
    broken = false;
  }

  /** A remark that names a rule of ours speaks of that, and not to a reviewer. */
  private static String withoutRules(String line) {
    return line.replace(Rulebook.ADDRESSED, "").replace(Rulebook.ORDERS, "").replace(REMARK, "");
  }

  private static String withoutMarkers(String line) {
    int at = 0;
    for (int before = -1; before < at; ) {
      before = at;
      while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
        at++;
      }
      for (var marker : MARKERS) {
        at += line.startsWith(marker, at) ? marker.length() : 0;
      }
    }
    // A string that goes on in the next line.
    at += at < line.length() && "\"'`".indexOf(line.charAt(at)) >= 0 ? 1 : 0;
    return line.substring(at);
  }

  /** Where a comment, or a text at the end, begins behind code; 0 if there is none. */
  private static int trailing(String line) {
    for (var marker : TRAILING) {
      int at = line.indexOf(marker, 1);
      while (at > 0) {
        char before = line.charAt(at - 1);
        if (Character.isWhitespace(before) || ";{}),".indexOf(before) >= 0) {
          return at;
        }
        at = line.indexOf(marker, at + marker.length());
      }
    }
    int last = line.length() - 1;
    while (last > 0 && "+\\,); ".indexOf(line.charAt(last)) >= 0) {
      last--;
    }
    char quote = line.charAt(last);
    int first = "\"'`".indexOf(quote) < 0 ? 0 : line.lastIndexOf(quote, last - 1);
    return Math.max(0, first);
  }

  private static boolean isProse(String line) {
    long code = line.chars().filter(it -> CODE.indexOf(it) >= 0).count();
    return code * 20 <= line.length() && line.indexOf(' ') > 0;
  }

  private void words(String text, int number) {
    int at = 0;
    while (at < text.length()) {
      int character = text.codePointAt(at);
      int size = Character.charCount(character);
      if (OrderPhrases.isPicture(character)) {
        open.picture(character, number);
        at += size;
      } else if (isPartOfWord(character)) {
        int end = wordEnd(text, at);
        word(text.substring(at, end), at, number);
        at = end;
      } else {
        if (ENDS.indexOf(character) >= 0 && endsHere(text, at + size, character)) {
          end();
        } else if (BREAKS.indexOf(character) >= 0) {
          broken = true;
        }
        at += size;
      }
    }
    // What is spelt out ends with its line.
    spell(number);
  }

  private static boolean endsHere(String text, int next, int character) {
    if (character > 0x80 || next >= text.length()) {
      return true;
    }
    char after = text.charAt(next);
    return Character.isWhitespace(after) || "\"')]`*_<\\".indexOf(after) >= 0;
  }

  private static boolean isPartOfWord(int character) {
    return Character.isLetterOrDigit(character)
        || character == '_'
        || (character > 0x80 && LetterFolding.isUnseen(character));
  }

  /** Behind a word, with the apostrophes in it. */
  private static int wordEnd(String text, int from) {
    int at = from;
    while (at < text.length()) {
      int character = text.codePointAt(at);
      boolean apostrophe =
          (character == '\'' || character == '’')
              && at > from
              && at + 1 < text.length()
              && Character.isLetter(text.charAt(at + 1));
      if ((!isPartOfWord(character) && !apostrophe) || OrderPhrases.isPicture(character)) {
        break;
      }
      at += Character.charCount(character);
    }
    return at;
  }

  private void word(String raw, int at, int number) {
    var parts = parts(raw);
    if (parts.size() >= PARTS_OF_A_NAME) {
      alone(String.join(" ", parts), number);
    }
    var word = LetterFolding.of(raw).replace("'", "").replace("’", "").replace("_", "");
    if (word.isEmpty()) {
      return;
    }
    if (word.length() > 1 || at != speltEnd + 1) {
      spell(number);
    }
    if (word.length() > 1) {
      add(word, number);
      return;
    }
    if (spelt.isEmpty()) {
      speltBroken = broken;
      broken = false;
    }
    spelt.append(word);
    speltEnd = at + raw.length();
  }

  /** Letters that stood one by one: a word if there are many, else each for itself. */
  private void spell(int number) {
    if (spelt.isEmpty()) {
      return;
    }
    var letters = spelt.toString();
    spelt.setLength(0);
    // A sign behind the letters sets off what comes next, and not them.
    boolean behind = broken;
    broken = speltBroken;
    int longest = letters.length() < SPELT_OUT ? 1 : LONGEST_WORD;
    for (int at = 0; at < letters.length(); ) {
      int end = Math.min(letters.length(), at + longest);
      while (end > at + 1 && !phrases.knows(letters.substring(at, end))) {
        end--;
      }
      add(letters.substring(at, end), number);
      at = end;
    }
    broken = behind;
  }

  private void add(String word, int number) {
    open.add(known(word), number, broken);
    broken = false;
    if (open.size() >= LONGEST) {
      var tail = open.tail(OVERLAP);
      sentences.accept(open);
      open = tail;
    }
  }

  /** A word as the phrases write it, if it is one of theirs in disguise. */
  private String known(String word) {
    if (phrases.knows(word)) {
      return word;
    }
    boolean ascii = word.chars().allMatch(it -> it < 0x80);
    var latin = ascii ? word : LetterFolding.latin(word);
    if (!ascii && phrases.knows(latin)) {
      return latin;
    }
    var spelt =
        latin.chars().anyMatch(Character::isDigit) && latin.chars().anyMatch(Character::isLetter)
            ? LetterFolding.spelt(latin)
            : latin;
    return phrases.knows(spelt) ? spelt : word;
  }

  /** The words in a name such as {@code fooBar} or {@code foo_bar}. */
  private static List<String> parts(String name) {
    if (name.length() < 8) {
      return List.of();
    }
    var parts = new ArrayList<String>();
    int from = 0;
    for (int i = 1; i < name.length(); i++) {
      boolean hump =
          Character.isUpperCase(name.charAt(i)) && Character.isLowerCase(name.charAt(i - 1));
      if (hump || name.charAt(i) == '_') {
        parts.add(name.substring(from, i));
        from = name.charAt(i) == '_' ? i + 1 : i;
      }
    }
    parts.add(name.substring(Math.min(from, name.length())));
    parts.removeIf(String::isBlank);
    return parts;
  }
}
