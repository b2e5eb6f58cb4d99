package dev.flyball.history.store;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** The values of one statement, given one after the other. */
final class StatementParameters {
  private final PreparedStatement statement;
  private int column;

  StatementParameters(PreparedStatement statement) {
    this.statement = statement;
  }

  /** What a database could not keep in a text, a zero or half a sign, is replaced. */
  StatementParameters text(String value) throws SQLException {
    statement.setString(++column, clean(value));
    return this;
  }

  StatementParameters texts(String... values) throws SQLException {
    for (var value : values) {
      text(value);
    }
    return this;
  }

  StatementParameters maybeText(@Nullable String value) throws SQLException {
    if (value == null) {
      statement.setNull(++column, Types.VARCHAR);
      return this;
    }
    return text(value);
  }

  StatementParameters number(long value) throws SQLException {
    statement.setLong(++column, value);
    return this;
  }

  StatementParameters numbers(long... values) throws SQLException {
    for (long value : values) {
      number(value);
    }
    return this;
  }

  StatementParameters maybeNumber(@Nullable Long value) throws SQLException {
    if (value == null) {
      statement.setNull(++column, Types.BIGINT);
      return this;
    }
    return number(value);
  }

  StatementParameters fraction(double value) throws SQLException {
    statement.setDouble(++column, value);
    return this;
  }

  private static String clean(String value) {
    for (int i = 0; i < value.length(); i++) {
      char letter = value.charAt(i);
      if (letter == 0 || Character.isSurrogate(letter)) {
        return new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
            .replace('\0', '\ufffd');
      }
    }
    return value;
  }
}
