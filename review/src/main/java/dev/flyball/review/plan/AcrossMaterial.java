package dev.flyball.review.plan;

import dev.flyball.review.lens.Lens.Tier;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.HunkLine;
import dev.flyball.review.relation.ChangeNeighbours;
import dev.flyball.review.select.Subject;
import dev.flyball.review.symbol.Language;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The material of the pass across all parts of a change: of each file the lines, new and gone, that
 * use or declare what the change declares otherwise than before. Prose uses nothing.
 */
final class AcrossMaterial {
  private static final int LINES_OF_A_FILE = 40;
  private static final Pattern WORD = Pattern.compile("([A-Za-z_$][\\w$]*+)(\\s*+\\()?");

  private final Subject subject;
  private final Map<String, ChangeNeighbours.ChangedFile> changed;
  private final PlanRequest request;

  AcrossMaterial(
      Subject subject, Map<String, ChangeNeighbours.ChangedFile> changed, PlanRequest request) {
    this.subject = subject;
    this.changed = changed;
    this.request = request;
  }

  /** What is shown, within so many tokens; the findings of the parts need some room too. */
  List<Excerpt> excerpts(long room) {
    var names = ChangeNeighbours.signatures(changed);
    var all = new ArrayList<Excerpt>();
    long left = room * 3 / 5;
    for (var item : subject.items()) {
      var excerpt =
          item.change()
              .filter(change -> Language.of(change.path()).isPresent())
              .flatMap(change -> excerpt(change, names));
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

  /** Whether a line names one of them; names that could be anything's have to be called there. */
  private static boolean hasAny(String text, Set<String> names) {
    return WORD.matcher(text)
        .results()
        .anyMatch(
            word ->
                names.contains(word.group(1))
                    && (word.group(2) != null || ChangeNeighbours.isDistinct(word.group(1))));
  }
}
