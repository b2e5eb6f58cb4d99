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
import java.util.function.Supplier;
import java.util.stream.Stream;

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
    Stretch part(int first, int last) {
      return new Stretch(first, last, symbols);
    }
  }

  /** The tokens of a file, spread over its lines. */
  private static final class Spread {
    private final TierTokens size;

    /** How many characters there are up to the end of each line. */
    private final long[] upTo;

    /** By the lengths of the lines, where the text is at hand; else all are alike. */
    Spread(TierTokens size, int lines, Optional<String> text) {
      this.size = size;
      this.upTo = new long[lines + 1];
      var all = text.map(String::lines).map(Stream::toList).orElse(List.of());
      for (int i = 1; i <= lines; i++) {
        upTo[i] = upTo[i - 1] + 1 + (all.size() == lines ? all.get(i - 1).length() : 0);
      }
    }

    int lines() {
      return upTo.length - 1;
    }

    TierTokens of(int first, int last) {
      return size.part(upTo[last] - upTo[first - 1], upTo[lines()])
          .plus(TokenMeasure.numbers(last - first + 1));
    }
  }

  /**
   * Of a file as it is.
   *
   * @param text what it says, for files that are too long for one excerpt
   */
  List<Excerpt> of(String path, TextDigest digest, Supplier<Optional<String>> text) {
    var size = measure.of(digest.counts(), digest.characters());
    int lines = Math.max(1, digest.outline().lines());
    var symbols =
        digest.symbols().stream()
            .sorted(Comparator.comparingInt(Symbol::line).thenComparing(Symbol::path))
            .toList();
    var whole = new Stretch(1, lines, symbols);
    var even = new Spread(size, lines, Optional.empty());
    boolean one = fits(whole, even);
    var spread = one ? even : new Spread(size, lines, text.get());
    var stretches = one || symbols.isEmpty() ? List.of(whole) : between(symbols, spread);
    return stretches.stream()
        .flatMap(stretch -> cut(stretch, digest, spread).stream())
        .map(
            part ->
                new Excerpt(
                    path,
                    part.line,
                    part.endLine,
                    spread.of(part.line, part.endLine),
                    asked(part, digest),
                    digest.print() + ":" + part.line + "-" + part.endLine,
                    Optional.empty(),
                    false))
        .toList();
  }

  private boolean fits(Stretch stretch, Spread spread) {
    return tokens(stretch.line, stretch.endLine, spread) <= room.input()
        && (stretch.symbols.size() + 1) * outputOfSymbol <= room.output();
  }

  private long tokens(int first, int last, Spread spread) {
    return spread.of(first, last).of(tier) + TOKENS_AROUND;
  }

  private List<Stretch> between(List<Symbol> symbols, Spread spread) {
    int lines = spread.lines();
    var runs =
        Halving.of(
            symbols,
            Symbol::path,
            run ->
                fits(
                    new Stretch(Math.min(lines, run.getFirst().line()), end(run, lines), run),
                    spread));
    var stretches = new ArrayList<Stretch>();
    for (int i = 0; i < runs.size(); i++) {
      int first = i == 0 ? 1 : Math.min(lines, runs.get(i).getFirst().line());
      int next = i + 1 == runs.size() ? lines + 1 : runs.get(i + 1).getFirst().line();
      stretches.add(new Stretch(first, Math.max(first, next - 1), runs.get(i)));
    }
    return stretches;
  }

  /** Where a run ends; a type that holds the whole file does not make every run long. */
  private static int end(List<Symbol> run, int lines) {
    return Math.clamp(run.getLast().endLine(), Math.min(lines, run.getFirst().line()), lines);
  }

  /** What is still too long is cut where something is declared inside of it, else between lines. */
  private List<Stretch> cut(Stretch stretch, TextDigest digest, Spread spread) {
    var cut = new ArrayList<Stretch>();
    int first = stretch.line;
    while (first <= stretch.endLine) {
      int last = first;
      while (last < stretch.endLine && tokens(first, last + 1, spread) <= room.input()) {
        last++;
      }
      last = last == stretch.endLine ? last : end(digest, first, last);
      cut.add(stretch.part(first, last));
      first = last + 1;
    }
    return cut;
  }

  /** Before the last declaration of the second half of some lines, or at their end. */
  private static int end(TextDigest digest, int first, int last) {
    return digest.outline().symbols().stream()
        .filter(symbol -> symbol.kind().runs() || symbol.kind().holds())
        .mapToInt(symbol -> symbol.line() - 1)
        .filter(line -> line > first + (last - first) / 2 && line <= last)
        .max()
        .orElse(last);
  }

  /**
   * What is answered for: what begins there, what goes on there, and, once, the code of no function
   * or type.
   */
  private static List<Symbol> asked(Stretch part, TextDigest digest) {
    var all = new ArrayList<Symbol>();
    for (var symbol : digest.symbols()) {
      int begin = Math.clamp(symbol.line(), 1, Math.max(1, digest.outline().lines()));
      boolean begins = begin >= part.line && begin <= part.endLine;
      boolean goesOn = begin < part.line && symbol.endLine() >= part.line;
      if (begins || goesOn) {
        all.add(symbol);
      }
    }
    digest.moduleCode().stream()
        .flatMap(it -> it.within(part.line, part.endLine).stream())
        .findFirst()
        .ifPresent(all::add);
    return all;
  }

  /** Of a file that changed. */
  List<Excerpt> of(String path, List<ChangeWindows.Window> windows) {
    var parts = new ArrayList<ChangeWindows.Window>();
    windows.forEach(window -> parts.addAll(cut(window)));
    return Halving.of(
            parts,
            part -> Integer.toString(part.line()),
            run -> measure.numbered(text(run)).of(tier) + TOKENS_AROUND <= room.input())
        .stream()
        .map(
            run ->
                new Excerpt(
                    path,
                    run.getFirst().line(),
                    run.getLast().endLine(),
                    measure.numbered(text(run)),
                    List.of(),
                    print(text(run)),
                    Optional.of(text(run)),
                    false))
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
    long tokens = measure.numbered(window.text()).of(tier) + TOKENS_AROUND;
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
