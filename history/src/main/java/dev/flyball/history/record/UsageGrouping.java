package dev.flyball.history.record;

import java.util.Set;

/**
 * A property that usage is grouped by. Days are those of UTC. What is reviewed is known of reviews
 * only, not of single calls.
 */
public enum UsageGrouping {
  REVIEW("review"),
  MODEL("model"),
  MODE("mode"),
  LENS("lens"),
  REPOSITORY("repository"),
  LANE("lane"),
  TENANT("tenant"),
  DAY("hour / 24"),
  HOUR("hour");

  /** What reviews are grouped by. */
  public static final Set<UsageGrouping> OF_REVIEWS = Set.of(REVIEW, REPOSITORY, MODE);

  private final String sql;

  UsageGrouping(String sql) {
    this.sql = sql;
  }

  public String sql() {
    return sql;
  }
}
