package dev.flyball.review.symbol;

import java.util.Optional;
import java.util.Set;

/** The reach of a symbol, by the rules of its language. */
enum SymbolVisibility {
  EXPORTED,
  BETWEEN,
  HIDDEN;

  static SymbolVisibility of(
      Language language,
      String name,
      DeclarationHeader header,
      DeclarationScope scope,
      Optional<Set<String>> exports) {
    return switch (language) {
      case JAVA -> ofJava(header, scope);
      case PYTHON -> ofPython(name, scope);
      case JAVASCRIPT, TYPESCRIPT, TSX -> ofScript(name, header, scope, exports);
      case GO -> exportedIf(Character.isUpperCase(name.charAt(0)));
      case RUST -> exportedIf(header.has("pub"));
      case C -> exportedIf(!header.has("static"));
      case CPP -> exportedIf(!header.has("static") || scope.ofType());
      case C_SHARP ->
          exportedIf(
              header.has("public") || scope.kind().equals(Optional.of(SymbolKind.INTERFACE)));
      case KOTLIN -> exportedIf(!header.has("private") && !header.has("internal"));
    };
  }

  private static SymbolVisibility exportedIf(boolean exported) {
    return exported ? EXPORTED : BETWEEN;
  }

  private static SymbolVisibility ofJava(DeclarationHeader header, DeclarationScope scope) {
    if (header.has("private") || scope.ofCode()) {
      return HIDDEN;
    }
    return exportedIf(
        header.has("public")
            || header.has("protected")
            || scope.kind().equals(Optional.of(SymbolKind.INTERFACE))
            || scope.kind().equals(Optional.of(SymbolKind.TYPE)));
  }

  /** A base class that nobody read may ask for what begins with one underscore. */
  private static SymbolVisibility ofPython(String name, DeclarationScope scope) {
    if (!name.startsWith("_")) {
      return EXPORTED;
    }
    return scope.heir() || name.endsWith("_") ? BETWEEN : HIDDEN;
  }

  private static SymbolVisibility ofScript(
      String name,
      DeclarationHeader header,
      DeclarationScope scope,
      Optional<Set<String>> exports) {
    if (scope.ofType()) {
      return exportedIf(!name.startsWith("#") && !header.has("private"));
    }
    if (header.has("export") || header.has("declare")) {
      return EXPORTED;
    }
    if (exports.isEmpty() || scope.ofCode()) {
      return BETWEEN;
    }
    return exports.get().contains(name) ? EXPORTED : HIDDEN;
  }
}
