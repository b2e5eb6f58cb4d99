package dev.flyball.review.plan;

import dev.flyball.llm.Sha256;
import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.symbol.Symbol;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Files cut into excerpts that a question has room for: between windows, between symbols, and a
 * symbol that is itself too long between lines.
 *
 * @param outputOfSymbol tokens that an answer has for each symbol
 */
record ExcerptCutter(TokenMeasure measure, Tier tier, PromptRoom room, long outputOfSymbol) {
  /** The name of a file, its lines and what sets them off. */
  static final int TOKENS_AROUND = 30;

  /** Some lines of a file. */
  private record Stretch(int line, int endLine, List<Symbol> symbols) {
    int lines() {
      return endLine - line + 1;
    }
  }

  /** Of a file as it is. */
  List<Excerpt> of(String path, TextDigest digest) {
    var size = measure.of(digest.counts(), digest.characters());
    int lines = Math.max(1, digest.outline().lines());
    var symbols =
        digest.symbols().stream()
            .sorted(Comparator.comparingInt(Symbol::line).thenComparing(Symbol::path))
            .toList();
    var whole = new Stretch(1, lines, symbols);
    var stretches =
        symbols.isEmpty() || fits(whole, size, lines)
            ? List.of(whole)
            : between(symbols, size, lines);
    return stretches.stream()
        .flatMap(stretch -> cut(stretch, size, lines).stream())
        .map(
            part ->
                new Excerpt(
                    path,
                    part.line,
                    part.endLine,
                    size.part(part.lines(), lines),
                    part.symbols,
                    digest.print() + ":" + part.line + "-" + part.endLine,
                    Optional.empty()))
        .toList();
  }

  private boolean fits(Stretch stretch, TierTokens size, int lines) {
    return tokens(stretch, size, lines) <= room.input()
        && stretch.symbols.size() * outputOfSymbol <= room.output();
  }

  private long tokens(Stretch stretch, TierTokens size, int lines) {
    return size.part(stretch.lines(), lines).of(tier) + TOKENS_AROUND;
  }

  private List<Stretch> between(List<Symbol> symbols, TierTokens size, int lines) {
    var runs =
        Halving.of(
            symbols,
            Symbol::path,
            run -> fits(new Stretch(run.getFirst().line(), end(run), run), size, lines));
    var stretches = new ArrayList<Stretch>();
    for (int i = 0; i < runs.size(); i++) {
      int first = i == 0 ? 1 : Math.min(lines, runs.get(i).getFirst().line());
      int next = i + 1 == runs.size() ? lines + 1 : runs.get(i + 1).getFirst().line();
      stretches.add(new Stretch(first, Math.max(first, next - 1), runs.get(i)));
    }
    return stretches;
  }

  /** Where a run ends; a type that holds the whole file does not make every run long. */
  private static int end(List<Symbol> run) {
    return run.getLast().endLine();
  }

  private List<Stretch> cut(Stretch stretch, TierTokens size, int lines) {
    long tokens = tokens(stretch, size, lines);
    int parts = (int) Math.min(stretch.lines(), Math.ceilDiv(tokens, room.input()));
    if (parts <= 1) {
      return List.of(stretch);
    }
    var cut = new ArrayList<Stretch>();
    for (int i = 0; i < parts; i++) {
      int first = stretch.line + (int) ((long) stretch.lines() * i / parts);
      int last = stretch.line + (int) ((long) stretch.lines() * (i + 1) / parts) - 1;
      cut.add(
          new Stretch(
              first,
              last,
              stretch.symbols.stream()
                  .filter(
                      symbol -> Math.clamp(symbol.line(), stretch.line, stretch.endLine) >= first)
                  .filter(
                      symbol -> Math.clamp(symbol.line(), stretch.line, stretch.endLine) <= last)
                  .toList()));
    }
    return cut;
  }

  /** Of a file that changed. */
  List<Excerpt> of(String path, List<ChangeWindows.Window> windows) {
    var parts = new ArrayList<ChangeWindows.Window>();
    windows.forEach(window -> parts.addAll(cut(window)));
    return Halving.of(
            parts,
            part -> Integer.toString(part.line()),
            run -> measure.of(text(run)).of(tier) + TOKENS_AROUND <= room.input())
        .stream()
        .map(
            run ->
                new Excerpt(
                    path,
                    run.getFirst().line(),
                    run.getLast().endLine(),
                    measure.of(text(run)),
                    List.of(),
                    print(text(run)),
                    Optional.of(text(run))))
        .toList();
  }

  private static String text(List<ChangeWindows.Window> run) {
    var text = new StringBuilder();
    for (var window : run) {
      text.append("@@ lines ").append(window.line()).append(" to ").append(window.endLine());
      text.append(" @@\n").append(window.text());
    }
    return text.toString();
  }

  private List<ChangeWindows.Window> cut(ChangeWindows.Window window) {
    long tokens = measure.of(window.text()).of(tier) + TOKENS_AROUND;
    if (tokens <= room.input()) {
      return List.of(window);
    }
    var lines = List.of(window.text().split("\n", -1));
    lines = lines.subList(0, lines.size() - 1);
    int parts = (int) Math.min(lines.size(), Math.ceilDiv(tokens, room.input()) + 1);
    var cut = new ArrayList<ChangeWindows.Window>();
    int at = window.line();
    for (int i = 0; i < parts; i++) {
      var some =
          lines.subList(
              (int) ((long) lines.size() * i / parts),
              (int) ((long) lines.size() * (i + 1) / parts));
      int shown = (int) some.stream().filter(ExcerptCutter::isLineNow).count();
      int end = Math.max(at, at + shown - 1);
      cut.add(new ChangeWindows.Window(at, end, String.join("\n", some) + "\n"));
      at = at + shown;
    }
    return cut;
  }

  /** Whether a shown line is one of the file as it is now. */
  private static boolean isLineNow(String shown) {
    return shown.startsWith("+") || shown.startsWith(" ");
  }

  static String print(String text) {
    return HexFormat.of()
        .formatHex(Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8)), 0, 20);
  }
}
