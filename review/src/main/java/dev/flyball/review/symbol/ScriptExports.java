package dev.flyball.review.symbol;

import dev.flyball.review.symbol.SyntaxTokens.TokenKind;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The names that a JavaScript or TypeScript file exports in statements of their own. */
final class ScriptExports {
  private final SyntaxTokens tokens;
  private final Set<String> names = new HashSet<>();
  private boolean module;

  private ScriptExports(SyntaxTokens tokens) {
    this.tokens = tokens;
  }

  /** Empty if the file is a script, whose names everybody sees. */
  static Optional<Set<String>> of(SyntaxTokens tokens) {
    var exports = new ScriptExports(tokens);
    for (int i = 0; i < tokens.count(); i++) {
      exports.look(i);
    }
    return exports.module ? Optional.of(exports.names) : Optional.empty();
  }

  private void look(int i) {
    if (!tokens.is(i, TokenKind.WORD) || tokens.is(i - 1, ".")) {
      return;
    }
    if (tokens.is(i, "import")) {
      module = true;
    } else if (tokens.is(i, "export")) {
      module = true;
      given(tokens.is(i + 1, "default") || tokens.is(i + 1, "=") ? i + 2 : i + 1);
    } else if (tokens.is(i, "exports") && tokens.is(i + 1, ".") && tokens.is(i + 3, "=")) {
      module = true;
      given(i + 4);
    } else if (tokens.is(i, "module") && tokens.is(i + 1, ".") && tokens.is(i + 2, "exports")) {
      module = true;
      given(tokens.is(i + 3, ".") ? i + 6 : i + 4);
    }
  }

  /** One name, or the names between braces. */
  private void given(int from) {
    if (!tokens.is(from, "{")) {
      if (tokens.is(from, TokenKind.WORD)) {
        names.add(tokens.text(from));
      }
      return;
    }
    int open = 1;
    for (int i = from + 1; i < tokens.count() && open > 0; i++) {
      if (tokens.is(i, "{")) {
        open++;
      } else if (tokens.is(i, "}")) {
        open--;
      } else if (tokens.is(i, TokenKind.WORD) && open == 1) {
        names.add(tokens.text(i));
      }
    }
  }
}
