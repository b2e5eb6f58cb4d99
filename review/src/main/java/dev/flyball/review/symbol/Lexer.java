package dev.flyball.review.symbol;

import dev.flyball.review.symbol.SyntaxTokens.TokenKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Cuts a text into tokens in one pass. The grammar would say the same, but only through a call into
 * native code for each token, which takes longer than to read the file.
 */
final class Lexer {
  private static final Set<String> BEFORE_REGEX =
      Set.of(
          "return",
          "typeof",
          "case",
          "in",
          "of",
          "delete",
          "void",
          "throw",
          "new",
          "else",
          "do",
          "instanceof",
          "yield",
          "await");

  private final String text;
  private final Set<LexicalRules> spelling;
  private final SyntaxTokens tokens;

  /** How many braces are open in the code inside of each template around here. */
  private final Deque<Integer> templates = new ArrayDeque<>();

  private int braces;
  private int at;

  /** The last token that was no comment. */
  private int last = -1;

  private Lexer(String text, Set<LexicalRules> spelling) {
    this.text = text;
    this.spelling = spelling;
    tokens = new SyntaxTokens(text);
  }

  static SyntaxTokens read(String text, Language language) {
    return read(text, LexicalRules.of(language));
  }

  static SyntaxTokens read(String text, Set<LexicalRules> spelling) {
    var lexer = new Lexer(text, spelling);
    while (lexer.at < text.length()) {
      lexer.next();
    }
    return lexer.tokens;
  }

  static boolean wordly(char c) {
    return c < 128
        ? (c >= 'a' && c <= 'z')
            || (c >= 'A' && c <= 'Z')
            || (c >= '0' && c <= '9')
            || c == '_'
            || c == '$'
        : Character.isLetterOrDigit(c) || Character.isSurrogate(c);
  }

  private static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }

  private void next() {
    char c = text.charAt(at);
    if (c <= ' ') {
      at++;
    } else if (digit(c)) {
      number();
    } else if (wordly(c) || (c == '#' && has(LexicalRules.TEMPLATE) && wordly(peek(1)))) {
      word();
    } else if (c == '/' && has(LexicalRules.SLASHES) && peek(1) == '/') {
      add(TokenKind.COMMENT, line(at));
    } else if (c == '/' && has(LexicalRules.SLASHES) && peek(1) == '*') {
      add(TokenKind.COMMENT, block());
    } else if (c == '#' && has(LexicalRules.HASH)) {
      add(TokenKind.COMMENT, line(at));
    } else if (c == '/' && has(LexicalRules.REGEX) && regexCanBegin()) {
      int end = regex();
      add(end < 0 ? TokenKind.MARK : TokenKind.STRING, end < 0 ? at + 1 : end);
    } else if (c == '@' && has(LexicalRules.VERBATIM) && peek(1) == '"') {
      add(TokenKind.STRING, doubled(at + 2));
    } else if (c == '"' || c == '\'' || c == '`') {
      quote(c);
    } else {
      mark(c);
    }
  }

  private void number() {
    int end = at + 1;
    while (end < text.length()
        && (wordly(text.charAt(end))
            || (text.charAt(end) == '.' && end + 1 < text.length() && digit(text.charAt(end + 1)))
            || (text.charAt(end) == '\'' && has(LexicalRules.LOOSE_SINGLE) && follows(end)))) {
      end++;
    }
    add(TokenKind.NUMBER, end);
  }

  private boolean follows(int quote) {
    return quote + 1 < text.length() && wordly(text.charAt(quote + 1));
  }

  private void word() {
    int end = at + 1;
    while (end < text.length() && wordly(text.charAt(end))) {
      end++;
    }
    if (end < text.length() && end - at <= 3) {
      char c = text.charAt(end);
      if (has(LexicalRules.HASH) && (c == '"' || c == '\'') && prefix(end)) {
        int start = at;
        at = end;
        quote(c);
        join(start);
        return;
      }
      if (has(LexicalRules.RAW_HASH) && text.charAt(end - 1) == 'r' && (c == '"' || c == '#')) {
        int raw = rawHash(end);
        if (raw > 0) {
          add(TokenKind.STRING, raw);
          return;
        }
      }
      if (has(LexicalRules.RAW_PARENTHESIS) && text.charAt(end - 1) == 'R' && c == '"') {
        add(TokenKind.STRING, rawParenthesis(end));
        return;
      }
    }
    add(TokenKind.WORD, end);
  }

  private boolean prefix(int end) {
    for (int i = at; i < end; i++) {
      if ("rbfuRBFUtT".indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The string that was just read begins earlier, with its prefix. */
  private void join(int start) {
    if (tokens.count() > 0) {
      tokens.begin(tokens.count() - 1, start);
    }
  }

  private int rawHash(int from) {
    int hashes = 0;
    while (from + hashes < text.length() && text.charAt(from + hashes) == '#') {
      hashes++;
    }
    if (from + hashes >= text.length() || text.charAt(from + hashes) != '"') {
      return -1;
    }
    int end = text.indexOf('"' + "#".repeat(hashes), from + hashes + 1);
    return end < 0 ? text.length() : end + 1 + hashes;
  }

  private int rawParenthesis(int quote) {
    int open = quote + 1;
    while (open < text.length() && open <= quote + 17 && text.charAt(open) != '(') {
      open++;
    }
    if (open >= text.length() || text.charAt(open) != '(') {
      return string(quote, '"');
    }
    String close = ')' + text.substring(quote + 1, open) + '"';
    int end = text.indexOf(close, open);
    return end < 0 ? text.length() : end + close.length();
  }

  private int line(int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }

  private int block() {
    if (!has(LexicalRules.NESTED)) {
      int end = text.indexOf("*/", at + 2);
      return end < 0 ? text.length() : end + 2;
    }
    int depth = 1;
    int here = at + 2;
    while (here < text.length() && depth > 0) {
      if (text.startsWith("/*", here)) {
        depth++;
        here += 2;
      } else if (text.startsWith("*/", here)) {
        depth--;
        here += 2;
      } else {
        here++;
      }
    }
    return Math.min(here, text.length());
  }

  private boolean regexCanBegin() {
    if (last < 0 || tokens.is(last, TokenKind.WORD)) {
      return last < 0 || BEFORE_REGEX.contains(tokens.text(last));
    }
    return tokens.is(last, TokenKind.MARK) && ")]}<".indexOf(text.charAt(tokens.start(last))) < 0;
  }

  /** Where it ends, or -1 if the line ends first. */
  private int regex() {
    boolean set = false;
    for (int i = at + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        return -1;
      } else if (c == '\\') {
        i++;
      } else if (c == '[') {
        set = true;
      } else if (c == ']') {
        set = false;
      } else if (c == '/' && !set) {
        return i + 1;
      }
    }
    return -1;
  }

  private void quote(char c) {
    if ((c == '"' && has(LexicalRules.TRIPLE_DOUBLE))
        || (c == '\'' && has(LexicalRules.TRIPLE_SINGLE))) {
      String three = String.valueOf(c).repeat(3);
      if (text.startsWith(three, at)) {
        add(TokenKind.STRING, triple(three));
        return;
      }
    }
    if (c == '"' || (c == '\'' && has(LexicalRules.SINGLE))) {
      add(TokenKind.STRING, string(at, c));
    } else if (c == '\'' && has(LexicalRules.LOOSE_SINGLE)) {
      int end = character();
      add(end < 0 ? TokenKind.MARK : TokenKind.STRING, end < 0 ? at + 1 : end);
    } else if (c == '`' && has(LexicalRules.RAW_BACKQUOTE)) {
      int end = text.indexOf('`', at + 1);
      add(TokenKind.STRING, end < 0 ? text.length() : end + 1);
    } else if (c == '`' && has(LexicalRules.TEMPLATE)) {
      template(at + 1);
    } else {
      add(TokenKind.MARK, at + 1);
    }
  }

  private int triple(String three) {
    for (int i = at + 3; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.startsWith(three, i)) {
        return i + 3;
      }
    }
    return text.length();
  }

  /** To the closing quote, or to the end of the line for a string that nobody closed. */
  private int string(int open, char quote) {
    for (int i = open + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == quote) {
        return i + 1;
      } else if (c == '\n') {
        return i;
      } else if (c == '\\') {
        i++;
      }
    }
    return text.length();
  }

  private int doubled(int from) {
    int i = from;
    while (i < text.length()) {
      if (text.charAt(i) != '"') {
        i++;
      } else if (i + 1 < text.length() && text.charAt(i + 1) == '"') {
        i += 2;
      } else {
        return i + 1;
      }
    }
    return text.length();
  }

  private int character() {
    if (peek(1) == '\\') {
      int end = text.indexOf('\'', at + 3);
      return end < 0 || end > at + 14 ? -1 : end + 1;
    }
    for (int i = at + 2; i <= at + 5 && i < text.length(); i++) {
      if (text.charAt(i) == '\'') {
        return i + 1;
      } else if (wordly(text.charAt(i)) && !Character.isSurrogate(text.charAt(i))) {
        return -1;
      }
    }
    return -1;
  }

  /** The words of a template up to its end or to the next code in it. */
  private void template(int from) {
    int i = from;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '`') {
        break;
      } else if (c == '$' && i + 1 < text.length() && text.charAt(i + 1) == '{') {
        add(TokenKind.STRING, i + 2);
        templates.push(braces);
        braces = 0;
        return;
      }
      i++;
    }
    add(TokenKind.STRING, Math.min(i + 1, text.length()));
  }

  private void mark(char c) {
    if (c == '{') {
      braces++;
    } else if (c == '}' && braces == 0 && !templates.isEmpty()) {
      braces = templates.pop();
      template(at + 1);
      return;
    } else if (c == '}') {
      braces = Math.max(0, braces - 1);
    }
    add(TokenKind.MARK, c == '=' && peek(1) == '>' ? at + 2 : at + 1);
  }

  private void add(TokenKind sort, int end) {
    if (sort != TokenKind.COMMENT) {
      last = tokens.count();
    }
    tokens.add(sort, at, end);
    at = end;
  }

  private char peek(int ahead) {
    return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
  }

  private boolean has(LexicalRules one) {
    return spelling.contains(one);
  }
}
