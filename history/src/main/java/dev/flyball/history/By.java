package dev.flyball.history;

/** What usage is grouped by. Days are those of UTC. */
public enum By {
  MODEL("model"),
  MODE("mode"),
  LENS("lens"),
  REPOSITORY("repository"),
  LANE("lane"),
  DAY("hour / 24");

  private final String sql;

  By(String sql) {
    this.sql = sql;
  }

  String sql() {
    return sql;
  }
}
