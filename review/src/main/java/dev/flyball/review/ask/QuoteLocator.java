package dev.flyball.review.ask;

import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.patch.HunkLine;
import dev.flyball.review.plan.ChangeWindows;
import dev.flyball.review.plan.Excerpt;
import dev.flyball.review.secret.Secrets;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The lines that a unit shows of a file, each with its number: where a quote is found is where the
 * finding is, whatever number the model may have thought of.
 */
final class QuoteLocator {
  private static final Pattern NUMBER = Pattern.compile("(?m)^[+ \\-\u2026]?\\d*\\|");
  private static final int TELLING = 6;

  /**
   * One of them.
   *
   * @param now its number, or of a line that is gone, that of the line that follows it now
   * @param changed whether it is one that the change added or deleted
   */
  private record Numbered(String text, int number, int now, DiffSide side, boolean changed) {
    /** With the next piece of a line that was cut into some. */
    Numbered continuedBy(String piece) {
      return new Numbered(text + piece, number, now, side, changed);
    }

    Numbered with(String other) {
      return new Numbered(other, number, now, side, changed);
    }
  }

  /**
   * A place where a quote is.
   *
   * @param away how many lines it is from where it was said to be
   * @param whole whether it is all of its lines
   * @param sided whether it is on the side that the quote is of: what is there now, unless it has
   *     the sign of what is not
   */
  private record Match(Place.Lines place, int away, boolean whole, boolean sided) {
    /**
     * Where it was said to be; else inside the change, all of the lines, on its side, and the
     * nearest; of equal ones the first that was found.
     */
    static final Comparator<Match> BEST =
        Comparator.comparing((Match match) -> match.away != 0)
            .thenComparing(match -> match.place.outside())
            .thenComparing(match -> !match.whole)
            .thenComparing(match -> !match.sided)
            .thenComparingInt(match -> match.away);
  }

  private final String path;
  private final List<Numbered> lines = new ArrayList<>();
  private final boolean isChange;

  private QuoteLocator(String path, boolean isChange) {
    this.path = path;
    this.isChange = isChange;
  }

  /** Of all excerpts of one file. */
  static QuoteLocator of(String path, List<Excerpt> excerpts, Subject subject)
      throws SourceUnavailable {
    var locator = new QuoteLocator(path, subject.isChange());
    var deleted = deleted(path, subject);
    for (var excerpt : excerpts) {
      if (excerpt.text().isPresent()) {
        locator.change(excerpt.text().get(), deleted);
      } else {
        var text = SourceText.of(path, subject.text(path).orElse(""));
        for (int i = excerpt.line(); i <= Math.min(excerpt.endLine(), text.lines()); i++) {
          locator.lines.add(new Numbered(text.line(i), i, i, DiffSide.RIGHT, true));
        }
      }
    }
    return locator;
  }

  /** The deleted lines of a file, by where they would be now. */
  private static Map<Integer, List<HunkLine>> deleted(String path, Subject subject) {
    return subject.items().stream()
        .filter(item -> item.path().equals(path))
        .flatMap(item -> item.change().stream())
        .flatMap(change -> change.hunks().stream())
        .flatMap(hunk -> hunk.lines().stream())
        .filter(line -> line.kind() == HunkLine.Kind.DELETED)
        .collect(Collectors.groupingBy(line -> Math.max(1, line.newNumber())));
  }

  private void change(String text, Map<Integer, List<HunkLine>> deleted) {
    int next = 1;
    int gone = 0;
    for (var line : text.split("\n", -1)) {
      var head = ChangeWindows.HEAD.matcher(line);
      if (head.matches()) {
        next = Integer.parseInt(head.group(1));
        gone = 0;
      } else if (!line.isEmpty()) {
        var content = line.substring(1);
        switch (line.charAt(0)) {
          case '+', ' ' -> {
            lines.add(new Numbered(content, next, next, DiffSide.RIGHT, line.charAt(0) == '+'));
            next++;
            gone = 0;
          }
          case '-' -> {
            // An excerpt may begin in the middle of what was deleted in one place.
            var here = deleted.getOrDefault(next, List.of());
            int at = gone;
            while (at < here.size() && !here.get(at).text().equals(content)) {
              at++;
            }
            boolean known = at < here.size();
            int number = known ? here.get(at).oldNumber() : next;
            gone = known ? at + 1 : gone;
            lines.add(new Numbered(content, Math.max(1, number), next, DiffSide.LEFT, true));
          }
          case ChangeWindows.CONTINUED -> {
            if (!lines.isEmpty()) {
              lines.add(lines.removeLast().continuedBy(content));
            }
          }
          default -> {}
        }
      }
    }
  }

  /** Where a quote is; empty if it is nowhere. Blanks do not count. */
  Optional<Place.Lines> find(String quote) {
    return find(quote, OptionalInt.empty());
  }

  /**
   * The same, where somebody has said in which line it begins.
   *
   * @param line believed as far as the quote is there, or near
   */
  Optional<Place.Lines> find(String quote, OptionalInt line) {
    return find(wanted(quote), quote, line)
        .or(
            () -> {
              // Some quote the numbers too.
              var bare = NUMBER.matcher(quote).replaceAll("");
              return bare.equals(quote) ? Optional.empty() : find(wanted(bare), bare, line);
            });
  }

  private Optional<Place.Lines> find(List<String> wanted, String quote, OptionalInt line) {
    if (wanted.isEmpty() || wanted.stream().mapToInt(String::length).sum() < TELLING) {
      return Optional.empty();
    }
    // Where a secret was removed, a quote has what was shown instead.
    return quote.contains(Secrets.NOTE)
        ? find(wanted, hiddenTogether(), line).or(() -> find(wanted, hiddenAlone(), line))
        : find(wanted, lines, line);
  }

  /** The lines without secrets, those that go over several lines too. */
  private List<Numbered> hiddenTogether() {
    var all = lines.stream().map(Numbered::text).collect(Collectors.joining("\n"));
    var hidden = Secrets.hidden(all).split("\n", -1);
    return hidden.length == lines.size()
        ? IntStream.range(0, hidden.length).mapToObj(i -> lines.get(i).with(hidden[i])).toList()
        : hiddenAlone();
  }

  private List<Numbered> hiddenAlone() {
    return lines.stream().map(line -> line.with(Secrets.hidden(line.text()))).toList();
  }

  private Optional<Place.Lines> find(List<String> wanted, List<Numbered> lines, OptionalInt line) {
    boolean deleted = wanted.getFirst().startsWith("-");
    Optional<Match> best = Optional.empty();
    for (int from = 0; from < lines.size(); from++) {
      for (boolean whole : new boolean[] {true, false}) {
        int last = last(lines, from, wanted, whole);
        if (last >= 0) {
          var place = place(from, last);
          int away = line.isPresent() ? Math.abs(lines.get(from).now() - line.getAsInt()) : 0;
          var match = new Match(place, away, whole, (place.side() == DiffSide.LEFT) == deleted);
          best = best.filter(it -> Match.BEST.compare(it, match) <= 0).or(() -> Optional.of(match));
          break;
        }
      }
    }
    return best.map(Match::place);
  }

  private static List<String> wanted(String quote) {
    var wanted = new ArrayList<String>();
    for (var line : quote.split("\n", -1)) {
      if (!line.isBlank()) {
        wanted.add(squeezed(line));
      }
    }
    return wanted;
  }

  /** The last line of a match that begins at a line; -1 if there is none. */
  private static int last(List<Numbered> lines, int from, List<String> wanted, boolean whole) {
    int at = from;
    for (int i = 0; i < wanted.size(); i++) {
      while (i > 0 && at < lines.size() && lines.get(at).text().isBlank()) {
        at++;
      }
      // A part of one line is enough; of several, the inner ones are whole.
      boolean all = whole || (i > 0 && i < wanted.size() - 1);
      if (at == lines.size()) {
        return -1;
      }
      if (!fits(wanted.get(i), squeezed(lines.get(at).text()), all)) {
        return -1;
      }
      at++;
    }
    return at - 1;
  }

  private static boolean fits(String part, String line, boolean whole) {
    boolean signed = part.length() > 1 && "+-".indexOf(part.charAt(0)) >= 0;
    var plain = signed ? part.substring(1) : part;
    return whole
        ? line.equals(part) || line.equals(plain)
        : line.contains(part) || line.contains(plain);
  }

  private Place.Lines place(int first, int last) {
    var start = lines.get(first);
    // Numbers of the other side count something else.
    var end = start;
    for (var line : lines.subList(first, last + 1)) {
      end = line.side() == start.side() ? line : end;
    }
    boolean changed =
        !isChange || lines.subList(first, last + 1).stream().anyMatch(Numbered::changed);
    var text = start.text();
    int column = text.isBlank() ? 1 : text.length() - text.stripLeading().length() + 1;
    int endLine = Math.max(start.number(), end.number());
    int endColumn = end.text().stripTrailing().length() + 1;
    return new Place.Lines(
        path,
        start.number(),
        column,
        endLine,
        endLine == start.number() ? Math.max(column, endColumn) : endColumn,
        start.side(),
        !changed);
  }

  /** As it was shown, without blanks. */
  private static String squeezed(String raw) {
    var line = PromptText.content(raw.stripTrailing());
    var squeezed = new StringBuilder(line.length());
    for (int i = 0; i < line.length(); i++) {
      if (!Character.isWhitespace(line.charAt(i))) {
        squeezed.append(line.charAt(i));
      }
    }
    return squeezed.toString();
  }
}
