package dev.flyball.history.record;

/** A property that usage is grouped by. Days are those of UTC. */
public enum UsageGrouping {
  MODEL("model"),
  MODE("mode"),
  LENS("lens"),
  REPOSITORY("repository"),
  LANE("lane"),
  DAY("hour / 24");

  private final String sql;

  UsageGrouping(String sql) {
    this.sql = sql;
  }

  public String sql() {
    return sql;
  }
}
