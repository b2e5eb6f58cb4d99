package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.HunkLine;
import dev.flyball.review.select.Subject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The material of the pass across all parts of a change: of each file the lines, new and gone, that
 * name something that the change declares otherwise than before, wherever it is declared.
 */
final class AcrossMaterial {
  private static final int LINES_OF_A_FILE = 40;
  private static final int SHORTEST = 4;
  private static final Pattern WORD = Pattern.compile("[A-Za-z_$][\\w$]*");
  private static final Pattern DECLARED =
      Pattern.compile(
          "\\b(?:def|function|func|fn|fun|class|interface|struct|enum|trait|type)\\s+"
              + "(?:\\([^)]*\\)\\s*)?([A-Za-z_$][\\w$]{3,})");

  private final Subject subject;
  private final Map<String, TextDigest> digests;
  private final PlanRequest request;

  AcrossMaterial(Subject subject, Map<String, TextDigest> digests, PlanRequest request) {
    this.subject = subject;
    this.digests = digests;
    this.request = request;
  }

  /** What is shown, within so many tokens; the findings of the parts need some room too. */
  List<Excerpt> excerpts(long room) {
    var names = names();
    var all = new ArrayList<Excerpt>();
    long left = room * 3 / 5;
    for (var item : subject.items()) {
      var excerpt = item.change().flatMap(change -> excerpt(change, names));
      if (excerpt.isPresent()) {
        long tokens = excerpt.get().size().of(Tier.LEAD) + ExcerptCutter.TOKENS_AROUND;
        if (tokens <= left) {
          all.add(excerpt.get());
          left -= tokens;
        }
      }
    }
    return all;
  }

  /** What each file has become, a line for each. */
  String facts() {
    var facts = new StringBuilder();
    for (var item : subject.items()) {
      var change = item.change().orElseThrow();
      facts.append(
          "%s %s +%d -%d"
              .formatted(
                  change.kind(), PromptText.name(change.path()), change.added(), change.deleted()));
      change
          .oldPath()
          .filter(old -> !old.equals(change.path()))
          .ifPresent(old -> facts.append(" from ").append(PromptText.name(old)));
      facts.append('\n');
    }
    return facts.toString();
  }

  /** The names of functions and types whose lines changed, now or before. */
  private Set<String> names() {
    var names = new HashSet<String>();
    for (var item : subject.items()) {
      var digest = digests.get(item.path());
      for (var hunk : item.change().orElseThrow().hunks()) {
        for (var line : hunk.lines()) {
          if (line.kind() == HunkLine.Kind.CONTEXT) {
            continue;
          }
          DECLARED.matcher(line.text()).results().forEach(found -> names.add(found.group(1)));
          if (digest != null) {
            digest
                .outline()
                .enclosing(Math.max(1, line.newNumber()))
                .filter(symbol -> symbol.name().length() >= SHORTEST)
                .filter(symbol -> line.text().contains(symbol.name()))
                .ifPresent(symbol -> names.add(symbol.name()));
          }
        }
      }
    }
    return names;
  }

  private Optional<Excerpt> excerpt(FileChange change, Set<String> names) {
    var text = new StringBuilder();
    int shown = 0;
    int next = -1;
    int first = Integer.MAX_VALUE;
    int last = 1;
    for (var hunk : change.hunks()) {
      for (var line : hunk.lines()) {
        if (shown >= LINES_OF_A_FILE || !hasAny(line.text(), names)) {
          continue;
        }
        int at = Math.max(1, line.newNumber());
        if (at != next) {
          text.append("@@ lines ").append(at).append(" to ").append(at).append(" @@\n");
        }
        boolean gone = line.kind() == HunkLine.Kind.DELETED;
        text.append(gone ? '-' : line.kind() == HunkLine.Kind.ADDED ? '+' : ' ');
        text.append(line.text()).append('\n');
        next = gone ? at : at + 1;
        first = Math.min(first, at);
        last = Math.max(last, at);
        shown++;
      }
    }
    return shown == 0
        ? Optional.empty()
        : Optional.of(
            new Excerpt(
                change.path(),
                first,
                last,
                request.measure().numbered(text.toString()),
                List.of(),
                ExcerptCutter.print(text.toString()),
                Optional.of(text.toString()),
                false));
  }

  private static boolean hasAny(String text, Set<String> names) {
    return WORD.matcher(text).results().anyMatch(word -> names.contains(word.group()));
  }
}
