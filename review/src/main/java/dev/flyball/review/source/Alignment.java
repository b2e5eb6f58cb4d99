package dev.flyball.review.source;

import org.eclipse.jgit.diff.DiffAlgorithm;
import org.eclipse.jgit.diff.EditList;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.MyersDiff;
import org.eclipse.jgit.diff.Sequence;
import org.eclipse.jgit.diff.SequenceComparator;

/**
 * How JGit finds which lines stayed: by Myers, as Git does, as long as what lies between the first
 * and the last difference is short. JGit's Myers takes time by the square (15 seconds for two times
 * ten thousand lines); what is longer is aligned by its rare lines, and what has none is replaced.
 */
final class Alignment extends DiffAlgorithm {
  private static final int SHORT = 4000;

  private final HistogramDiff histogram = new HistogramDiff();

  Alignment() {
    histogram.setFallbackAlgorithm(null);
  }

  @Override
  public <S extends Sequence> EditList diffNonCommon(
      SequenceComparator<? super S> comparator, S old, S now) {
    return old.size() + now.size() <= SHORT
        ? MyersDiff.INSTANCE.diffNonCommon(comparator, old, now)
        : histogram.diffNonCommon(comparator, old, now);
  }
}
