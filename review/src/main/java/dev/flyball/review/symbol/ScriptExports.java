package dev.flyball.review.symbol;

import dev.flyball.review.symbol.SyntaxTokens.TokenKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.treesitter.TSNode;

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

  /**
   * The name of what a function or class is bound to in a script: {@code app.use}, {@code
   * Router.prototype.handle}, {@code exports.send}, or the key of a property.
   *
   * @param owner what it is a property of, joined by dots; empty for what a module hands out
   * @param start where the name begins in the text
   * @param handedOut whether it is something that a module exports
   */
  record BoundName(String owner, String name, int start, boolean handedOut) {
    private static final int LONGEST = 6;

    static BoundName of(TSNode target, TSNode value, String text) {
      var parts = new ArrayList<String>();
      TSNode at = target;
      int start = SyntaxTree.start(target);
      for (int i = 0; i < LONGEST && !at.isNull(); i++) {
        TSNode last =
            switch (at.getType()) {
              case "member_expression" -> at.getChildByFieldName("property");
              case "subscript_expression" -> at.getChildByFieldName("index");
              default -> at;
            };
        if (last.isNull()) {
          break;
        }
        if (i == 0) {
          start = SyntaxTree.start(last);
        }
        parts.addFirst(plain(text.substring(SyntaxTree.start(last), SyntaxTree.end(last))));
        at = at.getChildByFieldName("object");
      }
      return named(parts, start, own(value, text));
    }

    private static BoundName named(List<String> parts, int start, String own) {
      boolean module =
          parts.size() > 1 && parts.getFirst().equals("module") && parts.get(1).equals("exports");
      boolean handedOut = module || parts.getFirst().equals("exports");
      var path = new ArrayList<>(parts.subList(module ? 2 : handedOut ? 1 : 0, parts.size()));
      path.removeIf(part -> part.equals("prototype") || part.equals("this"));
      if (path.isEmpty()) {
        return new BoundName("", own.isEmpty() ? "exports" : own, start, handedOut);
      }
      var name = path.removeLast();
      return new BoundName(String.join(".", path), name, start, handedOut);
    }

    private static String own(TSNode value, String text) {
      TSNode name = value.getChildByFieldName("name");
      return name.isNull() ? "" : text.substring(SyntaxTree.start(name), SyntaxTree.end(name));
    }

    private static String plain(String part) {
      boolean quoted =
          part.length() > 2 && "'\"`".indexOf(part.charAt(0)) >= 0 && part.length() < 80;
      return quoted ? part.substring(1, part.length() - 1) : part;
    }
  }
}
