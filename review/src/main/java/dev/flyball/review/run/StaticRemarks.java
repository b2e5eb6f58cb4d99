package dev.flyball.review.run;

import dev.flyball.review.check.CheckNote;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.finding.Suppression;
import dev.flyball.review.secret.Secrets;
import dev.flyball.review.select.Subject;
import java.util.ArrayList;
import java.util.List;

/** Remarks on the checks without a model, beside what they found. */
public final class StaticRemarks {
  private static final int SUPPRESSIONS_NAMED = 10;
  private static final int NOTES_NAMED = 3;

  private StaticRemarks() {}

  /** Whoever reads a change should know what it asks not to be told. */
  public static List<String> suppressed(Subject subject, StaticReview looked) {
    var remarks = new ArrayList<String>();
    if (subject.isChange() && !looked.suppressions().isEmpty()) {
      remarks.add("this change adds remarks that suppress findings:");
      looked.suppressions().stream()
          .limit(SUPPRESSIONS_NAMED)
          .forEach(each -> remarks.add("  " + words(each)));
    }
    return remarks;
  }

  /** What the baseline has that is gone, and what could not be compared. */
  public static List<String> known(StaticReview looked, Baseline.Applied known) {
    var remarks = new ArrayList<String>();
    if (!known.gone().isEmpty()) {
      remarks.add(
          (known.gone().size() == 1
                  ? "1 finding of the baseline is fixed"
                  : known.gone().size() + " findings of the baseline are fixed")
              + "; `flyball review --write-baseline` removes what is gone");
    }
    var uncompared =
        looked.notes().stream().filter(CheckNote.NotCompared.class::isInstance).toList();
    uncompared.stream()
        .limit(NOTES_NAMED)
        .forEach(
            note ->
                remarks.add(
                    "not compared with other code: %s (%s)"
                        .formatted(SafeText.line(note.file()), SafeText.line(note.reason()))));
    if (uncompared.size() > NOTES_NAMED) {
      remarks.add(
          "not compared with other code: %d more".formatted(uncompared.size() - NOTES_NAMED));
    }
    return remarks;
  }

  private static String words(Suppression suppression) {
    return "%s:%d %s%s"
        .formatted(
            SafeText.line(suppression.file()),
            suppression.line(),
            suppression.rule().isEmpty() ? "everything" : suppression.rule(),
            suppression.reason().isEmpty()
                ? ""
                : " (" + Secrets.hidden(suppression.reason()) + ")");
  }
}
