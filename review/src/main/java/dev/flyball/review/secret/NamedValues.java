package dev.flyball.review.secret;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Values with a name that tells what they are, in the ways that programs and settings give names to
 * values: behind an equals sign or a colon, as an argument, an element or an option.
 */
final class NamedValues {
  private static final int MOST_BLANKS = 40;
  private static final int LONGEST_NAME = 80;
  private static final int LONGEST_VALUE = 4_000;
  private static final int LOOK_BACK = 200;

  private static final Set<String> TYPES =
      Set.of("string", "str", "text", "bytes", "byte", "char", "varchar", "nsstring", "final");
  private static final Set<String> VALUE_NAMES =
      Set.of("value", "defaultvalue", "default", "content", "val");
  private static final Set<String> NAME_NAMES = Set.of("name", "key", "id", "property");
  private static final Set<String> SETTERS =
      Set.of("export", "set", "env", "arg", "setenv", "local", "readonly", "declare", "setx");
  private static final Set<String> QUERY_NAMES =
      Set.of("key", "sig", "signature", "code", "auth", "x-amz-signature", "x-goog-signature");

  /** How calls begin that are told about secrets and not given any. */
  private static final List<String> MAKERS =
      List.of("new", "get", "make", "create", "generate", "parse", "find", "read", "load", "is");

  private static final String[] LOGS_IN = {"mysql", "sshpass", "login", "mongo", "redis-cli"};

  /** A piece of the text. */
  private record Span(int start, int end) {
    boolean isEmpty() {
      return end <= start;
    }
  }

  private final CharSequence text;
  private final Runs runs;

  NamedValues(CharSequence text, Runs runs) {
    this.text = text;
    this.runs = runs;
  }

  /** The secret whose name and value are joined at a place. */
  Optional<Secret> at(int place) {
    return switch (text.charAt(place)) {
      case '=' -> equalsSign(place);
      case ':' -> colon(place);
      case '>' -> element(place);
      case ',', '(' -> argument(place);
      case '|', '?' -> alternative(place);
      case '"', '\'' -> quoted(place);
      case '-' -> option(place);
      default -> Optional.empty();
    };
  }

  private Optional<Secret> equalsSign(int place) {
    char next = peek(place + 1);
    if (next == '=' || next == '~') {
      return Optional.empty();
    }
    int to = place;
    while (to > 0 && to > place - 3 && ":=!+?|".indexOf(text.charAt(to - 1)) >= 0) {
      to--;
    }
    return assigned(name(to), next == '>' ? place + 2 : place + 1, place);
  }

  private Optional<Secret> colon(int place) {
    char next = peek(place + 1);
    if (next == ':' || next == '=' || next == '/' || peek(place - 1) == ':') {
      return Optional.empty();
    }
    var name = name(place);
    // Parts of one name, as that of a resource, are joined by colons too.
    boolean inside = peek(name.start - 1) == ':' && Alphabet.URL.has(peek(name.start - 2));
    return inside ? Optional.empty() : assigned(name, place + 1, place);
  }

  private Optional<Secret> assigned(Span name, int from, int joint) {
    if (name.isEmpty()) {
      return Optional.empty();
    }
    boolean asked = name.start > 0 && "?&".indexOf(text.charAt(name.start - 1)) >= 0;
    var word = word(name);
    if (asked && text.charAt(joint) == '=' && QUERY_NAMES.contains(word)) {
      return unquoted(TellingName.TOKEN, name, from, joint);
    }
    var telling = telling(name, word);
    return telling.isEmpty() ? Optional.empty() : value(telling.get(), name, from, joint);
  }

  private Optional<TellingName> telling(Span name, String word) {
    if (VALUE_NAMES.contains(word)) {
      return nameBefore(name.start);
    }
    if (TYPES.contains(word)) {
      int to = name.start;
      while (to > 0 && to > name.start - 4 && ": *&".indexOf(text.charAt(to - 1)) >= 0) {
        to--;
      }
      return to == name.start ? Optional.empty() : TellingName.of(sequence(nameSpan(to)));
    }
    return TellingName.of(sequence(name));
  }

  /** The name of a value whose own name is "value": it stands just before. */
  private Optional<TellingName> nameBefore(int place) {
    int from = Math.max(0, place - LOOK_BACK);
    Optional<TellingName> found = Optional.empty();
    boolean named = false;
    int lines = 0;
    for (int at = place; at > from; at--) {
      lines += text.charAt(at - 1) == '\n' ? 1 : 0;
      if (lines > 1) {
        from = at;
      }
    }
    for (int at = from; at < place; ) {
      int end = runs.end(Alphabet.URL, at);
      if (end > at) {
        var word = text.subSequence(at, Math.min(end, at + LONGEST_NAME)).toString();
        if (named) {
          found = TellingName.of(word);
        }
        named = NAME_NAMES.contains(word.toLowerCase(Locale.ROOT));
      }
      at = Math.max(end, at + 1);
    }
    return found;
  }

  /** Between tags, as in XML. */
  private Optional<Secret> element(int place) {
    char before = peek(place - 1);
    if (!Alphabet.URL.has(before) && !Words.isQuote(before)) {
      return Optional.empty();
    }
    var name = name(place);
    if (name.isEmpty() || (peek(name.start - 1) != '<' && !Words.isQuote(before))) {
      return Optional.empty();
    }
    var telling = TellingName.of(sequence(name));
    if (telling.isEmpty()) {
      return Optional.empty();
    }
    int end = place + 1;
    while (end < text.length()
        && end < place + LONGEST_VALUE
        && text.charAt(end) != '<'
        && text.charAt(end) != '\n') {
      end++;
    }
    return peek(end) == '<' ? judged(telling.get(), place + 1, end) : Optional.empty();
  }

  /** Behind a quoted name and a comma, or as the first argument of a call whose name tells. */
  private Optional<Secret> argument(int place) {
    boolean call = text.charAt(place) == '(';
    if (!call && !Words.isQuote(peek(place - 1))) {
      return Optional.empty();
    }
    int from = Words.pastBlanks(text, place + 1, MOST_BLANKS);
    if (!Words.isQuote(peek(from))) {
      return Optional.empty();
    }
    var name = name(place);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    if (call && MAKERS.stream().anyMatch(maker -> startsWith(name, maker))) {
      return Optional.empty();
    }
    var telling = TellingName.of(sequence(name));
    return telling.isEmpty() ? Optional.empty() : inQuotes(telling.get(), from);
  }

  private boolean startsWith(Span name, String word) {
    return name.end - name.start > word.length() && Words.startsWith(text, name.start, word);
  }

  /** What is taken if a setting is not there. */
  private Optional<Secret> alternative(int place) {
    char sign = text.charAt(place);
    if (peek(place - 1) != sign) {
      return Optional.empty();
    }
    int from = Words.pastBlanks(text, place + 1, MOST_BLANKS);
    if (!Words.isQuote(peek(from))) {
      return Optional.empty();
    }
    var telling = TellingName.of(sequence(name(place - 1)));
    return telling.isEmpty() ? Optional.empty() : inQuotes(telling.get(), from);
  }

  /** Behind a word and a blank, as in SQL. */
  private Optional<Secret> quoted(int place) {
    if (!Words.isBlank(peek(place - 1))) {
      return Optional.empty();
    }
    int to = Words.beforeBlanks(text, place, 2);
    char last = Character.toLowerCase(peek(to - 1));
    if (last != 'd' && last != 'y' && last != 's' && last != 'e') {
      return Optional.empty();
    }
    var name = nameSpan(to);
    boolean telling =
        switch (word(name)) {
          case "password", "passwd", "passphrase", "requirepass" -> true;
          case "by" -> Words.startsWithAnyCase(text, name.start - 11, "identified ");
          default -> false;
        };
    return telling ? inQuotes(TellingName.PASSWORD, place) : Optional.empty();
  }

  /** Behind an option of a command. */
  private Optional<Secret> option(int place) {
    char before = peek(place - 1);
    if (!Words.isBlank(before) && before != '\n') {
      return Optional.empty();
    }
    if (peek(place + 1) == '-') {
      int end = Math.min(runs.end(Alphabet.URL, place), place + LONGEST_NAME);
      if (!Words.isBlank(peek(end))) {
        return Optional.empty();
      }
      var name = new Span(place + 2, end);
      var telling = TellingName.of(sequence(name));
      return telling.isEmpty() ? Optional.empty() : value(telling.get(), name, end + 1, end);
    }
    if (peek(place + 1) == 'u' && Words.isBlank(peek(place + 2))) {
      return Words.lineHas(text, place, "curl") ? userAndPassword(place + 3) : Optional.empty();
    }
    if (peek(place + 1) != 'p' || !Words.lineHas(text, place, LOGS_IN)) {
      return Optional.empty();
    }
    int from = Words.pastBlanks(text, place + 2, 2);
    return Words.isQuote(peek(from))
        ? inQuotes(TellingName.PASSWORD, from)
        : judged(TellingName.PASSWORD, from, runs.end(Alphabet.VALUE, from));
  }

  private Optional<Secret> userAndPassword(int from) {
    int start = Words.isQuote(peek(from)) ? from + 1 : from;
    int end = runs.end(Alphabet.VALUE, start);
    for (int at = start; at < end && at < start + LONGEST_NAME; at++) {
      if (text.charAt(at) == ':') {
        return judged(TellingName.PASSWORD, at + 1, end);
      }
    }
    return Optional.empty();
  }

  private Optional<Secret> value(TellingName telling, Span name, int from, int joint) {
    int at = Words.pastBlanks(text, from, MOST_BLANKS);
    // As r"" of Python, L"" of C or @"" of C#.
    for (int prefix = 0; prefix <= 2; prefix++) {
      char each = peek(at + prefix);
      if (Words.isQuote(each) || (each == '\\' && Words.isQuote(peek(at + prefix + 1)))) {
        return inQuotes(telling, at + prefix);
      }
      if (!Alphabet.LETTERS.has(each) && each != '@' && each != '$') {
        break;
      }
    }
    return unquoted(telling, name, at, joint);
  }

  private Optional<Secret> inQuotes(TellingName telling, int place) {
    boolean escaped = text.charAt(place) == '\\';
    int open = escaped ? place + 1 : place;
    char quote = text.charAt(open);
    int start = open + 1;
    while (start < open + 3 && peek(start) == quote) {
      start++;
    }
    int most = Math.min(text.length(), start + LONGEST_VALUE);
    for (int at = start; at < most && text.charAt(at) != '\n'; at++) {
      char each = text.charAt(at);
      if (each == '\\' && !escaped) {
        at++;
      } else if (each == quote) {
        return judged(telling, start, escaped && peek(at - 1) == '\\' ? at - 1 : at);
      }
    }
    return judged(telling, start, Math.min(runs.end(Alphabet.VALUE, start), most));
  }

  private Optional<Secret> unquoted(TellingName telling, Span name, int from, int joint) {
    if (from >= text.length()) {
      return Optional.empty();
    }
    boolean own = ownsLine(name.start);
    int end = runs.end(own ? Alphabet.FULL : Alphabet.VALUE, from);
    boolean trimmed = false;
    while (end > from && ",;:.)\"'`".indexOf(text.charAt(end - 1)) >= 0) {
      trimmed |= ",;)".indexOf(text.charAt(end - 1)) >= 0;
      end--;
    }
    if (end == from) {
      return Optional.empty();
    }
    var value = text.subSequence(from, Math.min(end, from + ValueLook.LONGEST)).toString();
    for (int i = 0; i < value.length(); i++) {
      if ("()[]{}<>\"'`".indexOf(value.charAt(i)) >= 0) {
        return Optional.empty();
      }
    }
    // A name without quotes may be that of a variable, unless settings are written this way.
    boolean tight = text.charAt(joint) == ':' || joint + 1 == from;
    boolean joined = name.start > 0 && ";&?".indexOf(text.charAt(name.start - 1)) >= 0;
    boolean sentence = Words.isBlank(peek(end)) && Alphabet.LETTERS.has(peek(end + 1));
    boolean setting = (own || joined) && tight && !trimmed && !sentence;
    boolean identifier = isIdentifier(value);
    if (identifier && !setting && !ValueLook.isVeryRandom(value)) {
      return Optional.empty();
    }
    return judged(telling, from, end);
  }

  private static boolean isIdentifier(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (!Alphabet.WORD.has(value.charAt(i)) && value.charAt(i) != '.') {
        return false;
      }
    }
    return !ValueLook.isDigit(value.charAt(0));
  }

  /** Whether a name is the first on its line, but for the word that sets variables. */
  private boolean ownsLine(int nameStart) {
    int at = nameStart;
    while (at > nameStart - LONGEST_NAME && Alphabet.DOTTED.has(peek(at - 1))) {
      at--;
    }
    while (at > 0
        && at > nameStart - 2 * LONGEST_NAME
        && " \t+-#;*\"'$:".indexOf(text.charAt(at - 1)) >= 0) {
      at--;
    }
    if (at == 0 || text.charAt(at - 1) == '\n') {
      return true;
    }
    var word = nameSpan(at);
    return SETTERS.contains(word(word))
        && (word.start == 0 || "\n \t+-;&".indexOf(text.charAt(word.start - 1)) >= 0);
  }

  private Optional<Secret> judged(TellingName telling, int start, int end) {
    int from = Words.pastBlanks(text, start, 2);
    int looked = Math.min(end, from + ValueLook.LONGEST + 1);
    return from < end && telling.fits(text.subSequence(from, looked))
        ? Optional.of(new Secret(from, end, telling.kind(), Secret.Sign.NAME))
        : Optional.empty();
  }

  /** The name that ends at a place, without the blanks, quotes and brackets around it. */
  private Span name(int place) {
    int to = Words.beforeBlanks(text, place, MOST_BLANKS);
    for (int i = 0; i < 4 && to > 0 && "\"'`\\]?".indexOf(text.charAt(to - 1)) >= 0; i++) {
      to--;
    }
    return nameSpan(to);
  }

  private Span nameSpan(int to) {
    int from = to;
    while (from > 0 && from > to - LONGEST_NAME && Alphabet.URL.has(text.charAt(from - 1))) {
      from--;
    }
    while (from < to && text.charAt(from) == '-') {
      from++;
    }
    return new Span(from, to);
  }

  private CharSequence sequence(Span span) {
    return text.subSequence(span.start, Math.max(span.start, span.end));
  }

  private String word(Span span) {
    return sequence(span).toString().toLowerCase(Locale.ROOT);
  }

  private char peek(int at) {
    return at >= 0 && at < text.length() ? text.charAt(at) : '\n';
  }
}
