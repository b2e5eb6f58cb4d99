package dev.flyball.history.store;

import dev.flyball.call.Cost;
import dev.flyball.history.record.TenantKey;
import dev.flyball.history.record.TenantSpending;
import dev.flyball.history.record.TenantTerms;
import dev.flyball.history.record.TenantTerms.Ceiling;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The keys and the spending of tenants, on one connection. */
public record TenantTables(Connection connection) {
  private static final String ADD_KEY =
      """
      insert into tenant_keys (tenant, hash, hint, weight, priority, models, requests_a_minute,
        tokens_a_minute, in_flight, day_tokens, day_cost, month_tokens, month_cost, created_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (hash) do nothing\
      """;
  private static final String REVOKE =
      "update tenant_keys set revoked_at = ? where tenant = ? and revoked_at is null";
  private static final String ADD_SPENDING =
      """
      insert into tenant_spending (tenant, period, tokens, cost) values (?, ?, ?, ?)
      on conflict (tenant, period) do update set
        tokens = tenant_spending.tokens + excluded.tokens,
        cost = tenant_spending.cost + excluded.cost\
      """;

  void add(TenantKey key) throws SQLException {
    var terms = key.terms();
    try (var statement = connection.prepareStatement(ADD_KEY)) {
      var row =
          new StatementParameters(statement)
              .texts(key.tenant(), key.hash(), key.hint())
              .fraction(terms.weight())
              .texts(terms.priority(), String.join("\n", key.models()));
      for (var most : List.of(terms.requests(), terms.tokens(), terms.inFlight())) {
        row.maybeNumber(number(most));
      }
      for (var ceiling : List.of(terms.day(), terms.month())) {
        row.maybeNumber(number(ceiling.tokens()));
        row.maybeNumber(ceiling.cost().isPresent() ? (Long) ceiling.cost().get().micros() : null);
      }
      row.number(key.created().toEpochMilli());
      statement.executeUpdate();
    }
  }

  private static @Nullable Long number(OptionalLong from) {
    return from.isPresent() ? (Long) from.getAsLong() : null;
  }

  void revoke(String tenant, Instant at) throws SQLException {
    try (var statement = connection.prepareStatement(REVOKE)) {
      new StatementParameters(statement).number(at.toEpochMilli()).text(tenant);
      statement.executeUpdate();
    }
  }

  void spend(List<TenantSpending> more) throws SQLException {
    try (var statement = connection.prepareStatement(ADD_SPENDING)) {
      for (var each : more) {
        new StatementParameters(statement)
            .texts(each.tenant(), each.period())
            .numbers(each.tokens(), each.cost().micros());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** All keys that there ever were, the oldest first. */
  public List<TenantKey> keys() throws SQLException {
    var found = new ArrayList<TenantKey>();
    try (var statement = connection.prepareStatement("select * from tenant_keys order by number");
        var rows = statement.executeQuery()) {
      while (rows.next()) {
        found.add(key(rows));
      }
    }
    return found;
  }

  private static TenantKey key(ResultSet row) throws SQLException {
    var models = row.getString("models");
    var revoked = maybe(row, "revoked_at");
    return new TenantKey(
        row.getString("tenant"),
        row.getString("hash"),
        row.getString("hint"),
        new TenantTerms(
            row.getDouble("weight"),
            row.getString("priority"),
            maybe(row, "requests_a_minute"),
            maybe(row, "tokens_a_minute"),
            maybe(row, "in_flight"),
            ceiling(row, "day"),
            ceiling(row, "month")),
        models.isEmpty() ? List.of() : List.of(models.split("\n", -1)),
        Instant.ofEpochMilli(row.getLong("created_at")),
        revoked.isPresent()
            ? Optional.of(Instant.ofEpochMilli(revoked.getAsLong()))
            : Optional.empty());
  }

  private static Ceiling ceiling(ResultSet row, String period) throws SQLException {
    var cost = maybe(row, period + "_cost");
    return new Ceiling(
        maybe(row, period + "_tokens"),
        cost.isPresent() ? Optional.of(new Cost(cost.getAsLong())) : Optional.empty());
  }

  private static OptionalLong maybe(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /** What was used in some periods, by tenant. */
  public List<TenantSpending> spending(Collection<String> periods) throws SQLException {
    var found = new ArrayList<TenantSpending>();
    var sql = "select tenant, tokens, cost from tenant_spending where period = ? order by tenant";
    try (var statement = connection.prepareStatement(sql)) {
      for (var period : periods) {
        new StatementParameters(statement).text(period);
        try (var rows = statement.executeQuery()) {
          while (rows.next()) {
            found.add(
                new TenantSpending(
                    rows.getString(1), period, rows.getLong(2), new Cost(rows.getLong(3))));
          }
        }
      }
    }
    return found;
  }
}
