package dev.flyball.review.symbol;

import java.util.Locale;
import java.util.Optional;

/** A language that Flyball has a grammar for. */
public enum Language {
  JAVA("Java"),
  PYTHON("Python"),
  JAVASCRIPT("JavaScript"),
  TYPESCRIPT("TypeScript"),
  TSX("TSX"),
  GO("Go"),
  RUST("Rust"),
  C("C"),
  CPP("C++"),
  C_SHARP("C#"),
  KOTLIN("Kotlin");

  private final String title;

  Language(String title) {
    this.title = title;
  }

  /** By the extension of the file's name. */
  public static Optional<Language> of(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    String extension = dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    return switch (extension) {
      case "java" -> Optional.of(JAVA);
      case "py", "pyi" -> Optional.of(PYTHON);
      case "js", "mjs", "cjs", "jsx" -> Optional.of(JAVASCRIPT);
      case "ts", "mts", "cts" -> Optional.of(TYPESCRIPT);
      case "tsx" -> Optional.of(TSX);
      case "go" -> Optional.of(GO);
      case "rs" -> Optional.of(RUST);
      case "c", "h" -> Optional.of(C);
      case "cpp", "cc", "cxx", "hpp", "hh", "hxx" -> Optional.of(CPP);
      case "cs" -> Optional.of(C_SHARP);
      case "kt", "kts" -> Optional.of(KOTLIN);
      default -> Optional.empty();
    };
  }

  /** As people write it. */
  public String title() {
    return title;
  }

  /** JavaScript and what is built on it. */
  public boolean isScript() {
    return this == JAVASCRIPT || this == TYPESCRIPT || this == TSX;
  }
}
