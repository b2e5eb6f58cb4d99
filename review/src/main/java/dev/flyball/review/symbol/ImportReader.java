package dev.flyball.review.symbol;

import dev.flyball.review.symbol.SyntaxTokens.TokenKind;
import java.util.ArrayList;
import java.util.List;

/** Reads the statements by which a file takes something from elsewhere. */
final class ImportReader {
  private final SyntaxTokens tokens;
  private final List<Import> found = new ArrayList<>();

  ImportReader(SyntaxTokens tokens) {
    this.tokens = tokens;
  }

  List<Import> found() {
    return found;
  }

  void statement(Language language, int from, int to) {
    int first = tokens.from(from) + 1;
    int end = tokens.from(to);
    switch (language) {
      case JAVA, KOTLIN -> dotted(tokens.is(first, "static") ? first + 1 : first, end);
      case PYTHON -> python(first, end);
      case JAVASCRIPT, TYPESCRIPT, TSX -> script(first, end);
      case GO -> strings(first, end);
      case C, CPP -> included(first, end);
      case C_SHARP, RUST -> whole(first, end);
    }
  }

  /** The modules that are asked for in the middle of statements. */
  void calls() {
    for (int i = 0; i + 2 < tokens.count(); i++) {
      if (tokens.is(i + 1, "(")
          && tokens.is(i + 2, TokenKind.STRING)
          && (tokens.is(i, "require") || tokens.is(i, "import"))) {
        found.add(new Import(unquoted(i + 2), List.of()));
      } else if (tokens.is(i, "from")
          && tokens.is(i + 1, TokenKind.STRING)
          && (tokens.is(i - 1, "*") || tokens.is(i - 1, "}"))
          && exported(i)) {
        found.add(new Import(unquoted(i + 1), List.of("*")));
      }
    }
  }

  private boolean exported(int from) {
    for (int i = from - 1; i >= 0 && i > from - 200; i--) {
      if (tokens.is(i, "export")) {
        return true;
      } else if (tokens.is(i, "import") || tokens.is(i, ";")) {
        return false;
      }
    }
    return false;
  }

  private void dotted(int from, int to) {
    int last = to - 1;
    while (last > from && !tokens.is(last, TokenKind.WORD) && !tokens.is(last, "*")) {
      last--;
    }
    var module = new StringBuilder();
    for (int i = from; i < last - 1; i++) {
      module.append(tokens.text(i));
    }
    if (last > from) {
      found.add(new Import(module.toString(), List.of(tokens.text(last))));
    }
  }

  private void python(int from, int to) {
    if (tokens.is(from - 1, "from")) {
      int i = from;
      var module = new StringBuilder();
      while (i < to && !tokens.is(i, "import")) {
        module.append(tokens.text(i++));
      }
      found.add(new Import(module.toString(), listed(i + 1, to)));
      return;
    }
    var module = new StringBuilder();
    boolean alias = false;
    for (int i = from; i <= to; i++) {
      if (i == to || tokens.is(i, ",")) {
        if (!module.isEmpty()) {
          found.add(new Import(module.toString(), List.of()));
        }
        module.setLength(0);
        alias = false;
      } else if (tokens.is(i, "as")) {
        alias = true;
      } else if (!alias && !tokens.is(i, TokenKind.COMMENT)) {
        module.append(tokens.text(i));
      }
    }
  }

  private void script(int from, int to) {
    int source = to - 1;
    while (source >= from && !tokens.is(source, TokenKind.STRING)) {
      source--;
    }
    if (source >= from) {
      found.add(new Import(unquoted(source), listed(from, source)));
    }
  }

  /** Each name, without what it is called here. */
  private List<String> listed(int from, int to) {
    List<String> names = new ArrayList<>();
    boolean next = true;
    for (int i = from; i < to; i++) {
      if (tokens.is(i, ",") || tokens.is(i, "{")) {
        next = true;
      } else if (next && (tokens.is(i, TokenKind.WORD) || tokens.is(i, "*"))) {
        if (!tokens.is(i, "type") && !tokens.is(i, "from")) {
          names.add(tokens.text(i));
          next = false;
        }
      }
    }
    return names;
  }

  private void strings(int from, int to) {
    for (int i = from; i < to; i++) {
      if (tokens.is(i, TokenKind.STRING)) {
        found.add(new Import(unquoted(i), List.of()));
      }
    }
  }

  private void included(int from, int to) {
    var module = new StringBuilder();
    for (int i = from; i < to; i++) {
      if (tokens.is(i, TokenKind.STRING)) {
        found.add(new Import(unquoted(i), List.of()));
        return;
      } else if (!tokens.is(i, "<") && !tokens.is(i, ">") && !tokens.is(i, "include")) {
        module.append(tokens.text(i));
      }
    }
    found.add(new Import(module.toString(), List.of()));
  }

  private void whole(int from, int to) {
    var module = new StringBuilder();
    for (int i = from; i < to; i++) {
      if (!tokens.is(i, ";") && !tokens.is(i, TokenKind.COMMENT)) {
        module.append(tokens.text(i));
      }
    }
    found.add(new Import(module.toString(), List.of()));
  }

  private String unquoted(int index) {
    String quoted = tokens.text(index);
    return quoted.length() < 2 ? quoted : quoted.substring(1, quoted.length() - 1);
  }
}
