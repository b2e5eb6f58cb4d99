package dev.flyball.review.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The division of a budget among groups of lenses. A part is kept back for retries; of the rest
 * every group of lenses has its share. What one does not need passes down to the next. Where there
 * is too little for all, the least important go without first, and those that a review cannot do
 * without are cut last, each in proportion to its share.
 *
 * @param granted what each group may use, in the order of their importance
 * @param dropped groups that there is no room for, the least important first
 */
public record BudgetShares(Map<Group, Long> granted, List<Group> dropped) {
  /** The most that a change may use where nobody has said how much, in tokens. */
  public static final long LARGEST_USUAL = 1_000_000;

  /** The least: some answers may have to be asked for again, with more room. */
  public static final long SMALLEST_USUAL = 100_000;

  private static final int ALL = 100;

  public BudgetShares {
    granted = Collections.unmodifiableMap(new LinkedHashMap<>(granted));
    dropped = List.copyOf(dropped);
  }

  /**
   * Lenses that are asked together.
   *
   * @param share in hundredths of what can be used
   * @param need what it would use if it could
   */
  public record Group(String name, boolean required, int share, long need) {}

  /** What a budget leaves after a reserve, in hundredths. */
  public static long usable(long budget, int reserve) {
    if (budget < 0 || reserve < 0 || reserve >= ALL) {
      throw new IllegalArgumentException(
          "a budget is at least 0 and its reserve from 0 to 99, but were %d and %d"
              .formatted(budget, reserve));
    }
    return part(budget, ALL - reserve, ALL);
  }

  /**
   * Of what can be used.
   *
   * @param groups the most important first
   */
  public static BudgetShares of(long usable, List<Group> groups) {
    var kept = new ArrayList<>(groups);
    var dropped = new ArrayList<Group>();
    while (true) {
      var all = granted(usable, kept);
      boolean enough = kept.stream().allMatch(each -> all.getOrDefault(each, 0L) >= each.need());
      var least = kept.stream().filter(each -> !each.required()).reduce((one, other) -> other);
      if (enough || least.isEmpty()) {
        return new BudgetShares(all, dropped);
      }
      kept.remove(least.get());
      dropped.add(least.get());
    }
  }

  /** First to each its share or what it needs of it, then what is left, from the top. */
  private static Map<Group, Long> granted(long usable, List<Group> groups) {
    long shares = Math.max(1, groups.stream().mapToLong(Group::share).sum());
    var granted = new LinkedHashMap<Group, Long>();
    long left = usable;
    for (var group : groups) {
      long own = Math.min(group.need(), part(usable, group.share(), shares));
      granted.put(group, own);
      left -= own;
    }
    for (var group : groups) {
      long more = Math.min(left, group.need() - granted.getOrDefault(group, 0L));
      granted.merge(group, more, Long::sum);
      left -= more;
    }
    return granted;
  }

  private static long part(long whole, long share, long of) {
    return whole / of * share + whole % of * share / of;
  }
}
