package dev.flyball.review.symbol;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The outline that a file without a grammar seems to have, line by line: functions, classes,
 * constants in capitals, targets of a makefile, tables of a database. A guessed symbol is one line
 * long, so all of the file is code of no symbol.
 */
final class GuessedOutline {
  /** No declaration begins later on its line. */
  private static final int WIDEST = 200;

  private static final Set<String> PROSE_AND_VALUES =
      Set.of(
          "md",
          "markdown",
          "txt",
          "rst",
          "adoc",
          "json",
          "jsonl",
          "xml",
          "html",
          "htm",
          "svg",
          "css",
          "scss",
          "less",
          "csv",
          "tsv",
          "lock",
          "log");

  private static final List<Clue> CLUES =
      List.of(
          new Clue(
              SymbolKind.FUNCTION,
              "^\\s*+(?:(?:export|async|local|static|public|private|protected|pub)\\s++)*+"
                  + "(?:function|func|fun|fn|sub|proc)\\s++([\\w:.$]++)"),
          new Clue(SymbolKind.FUNCTION, "^\\s*+def\\s++(?:self\\.)?+([\\w?!]++)"),
          new Clue(SymbolKind.FUNCTION, "^([\\w-]++)\\s*+\\(\\)\\s*+\\{"),
          new Clue(
              SymbolKind.CLASS,
              "^\\s*+(?:(?:export|public|private|abstract|final|sealed|case)\\s++)*+"
                  + "(?:class|interface|trait|struct|enum)\\s++([A-Z]\\w*+)"),
          new Clue(
              SymbolKind.TYPE,
              "^\\s*+(?i:create\\s++(?:or\\s++replace\\s++)?+(?:temp(?:orary)?+\\s++)?+"
                  + "(?:table|view|type)\\s++(?:if\\s++not\\s++exists\\s++)?+)[\"`\\[]?+([\\w.]++)"),
          new Clue(
              SymbolKind.FUNCTION,
              "^\\s*+(?i:create\\s++(?:or\\s++replace\\s++)?+(?:function|procedure|trigger)\\s++)"
                  + "[\"`\\[]?+([\\w.]++)"),
          new Clue(
              SymbolKind.CONSTANT,
              "^\\s*+(?:(?:export|readonly|const|final)\\s++)*+([A-Z][A-Z0-9_]{2,})\\s*+:?+="));

  private static final Clue TARGET =
      new Clue(SymbolKind.FUNCTION, "^([A-Za-z0-9_./-]++)(?:\\s++[\\w./-]++)*+\\s*+::?+(?!=)");

  private GuessedOutline() {}

  /** One line that looks like it declares the word in its first group. */
  private record Clue(SymbolKind kind, Pattern line) {
    Clue(SymbolKind kind, String line) {
      this(kind, Pattern.compile(line));
    }
  }

  static Outline of(String path, String text) {
    var lines = new LineStarts(text);
    List<Symbol> symbols = new ArrayList<>();
    if (!PROSE_AND_VALUES.contains(extension(path))) {
      List<Clue> clues = clues(path);
      for (int line = 1; line <= lines.count(); line++) {
        int start = lines.start(line);
        int next = line < lines.count() ? lines.start(line + 1) : text.length();
        look(text.substring(start, Math.min(next, start + WIDEST)), line, clues, symbols);
      }
      if (!text.isBlank()) {
        symbols.add(ModuleCode.stretch(1, lines.count()));
      }
    }
    return new Outline(
        Optional.empty(),
        ParseQuality.GUESSED,
        lines.count(),
        symbols,
        List.of(),
        Mentions.words(text),
        List.of());
  }

  private static void look(String line, int number, List<Clue> clues, List<Symbol> symbols) {
    for (Clue clue : clues) {
      Matcher match = clue.line().matcher(line);
      if (match.find()) {
        symbols.add(
            new Symbol(
                match.group(1),
                clue.kind(),
                false,
                number,
                number,
                "",
                false,
                false,
                Optional.empty()));
        return;
      }
    }
  }

  private static List<Clue> clues(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    if (!name.equals("makefile") && !name.equals("gnumakefile") && !name.endsWith(".mk")) {
      return CLUES;
    }
    List<Clue> all = new ArrayList<>(CLUES);
    all.add(TARGET);
    return all;
  }

  private static String extension(String path) {
    return path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }
}
