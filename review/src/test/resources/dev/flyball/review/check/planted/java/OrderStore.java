package shop.orders;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Orders in a database. */
public final class OrderStore {
  private static final Logger LOG = Logger.getLogger("orders");
  private static final String TABLE = "orders";
  private static final String BY_ID = "SELECT * FROM " + TABLE + " WHERE id = ?";

  private final Connection connection;

  public OrderStore(Connection connection) {
    this.connection = connection;
  }

  public List<String> byCustomer(String customer) throws SQLException {
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery("SELECT * FROM orders WHERE customer = '" + customer + "'")) {
      return names(rows);
    }
  }

  public List<String> byId(long id) throws SQLException {
    try (var statement = connection.prepareStatement(BY_ID)) {
      statement.setLong(1, id);
      try (var rows = statement.executeQuery()) {
        return names(rows);
      }
    }
  }

  public List<String> search(List<String> words, String order) throws SQLException {
    var sql = new StringBuilder("SELECT * FROM orders WHERE 1 = 1");
    for (var word : words) {
      sql.append(" AND note LIKE '%").append(word).append("%'");
    }
    sql.append(" ORDER BY ").append(order);
    try (var statement = connection.prepareStatement(sql.toString());
        var rows = statement.executeQuery()) {
      return names(rows);
    }
  }

  public List<String> among(List<Long> ids) throws SQLException {
    var marks = String.join(", ", Collections.nCopies(ids.size(), "?"));
    try (var statement =
        connection.prepareStatement("SELECT * FROM orders WHERE id IN (" + marks + ")")) {
      for (int i = 0; i < ids.size(); i++) {
        statement.setLong(i + 1, ids.get(i));
      }
      try (var rows = statement.executeQuery()) {
        return names(rows);
      }
    }
  }

  public int rename(String from, String to) throws SQLException {
    String update = "UPDATE orders SET customer = '%s' WHERE customer = '%s'".formatted(to, from);
    try (var statement = connection.createStatement()) {
      return statement.executeUpdate(update);
    }
  }

  public Function<String, Integer> eraser() {
    return zone -> {
      try (var statement = connection.createStatement()) {
        return statement.executeUpdate(String.format("DELETE FROM orders WHERE zone = '%s'", zone));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  public int total(String customer) throws SQLException {
    PreparedStatement statement =
        connection.prepareStatement("SELECT sum(price) FROM orders WHERE customer = ?");
    statement.setString(1, customer);
    ResultSet rows = statement.executeQuery();
    while (rows.next()) {
      return rows.getInt(1);
    }
    return 0;
  }

  public String firstNote(Path path) throws IOException {
    var reader = new BufferedReader(new FileReader(path.toFile()));
    return reader.readLine();
  }

  public String lastNote(Path path) throws IOException {
    try (var lines = Files.lines(path)) {
      return lines.reduce("", (first, second) -> second);
    }
  }

  public long notes(Path folder) throws IOException {
    return Files.list(folder).filter(path -> path.toString().endsWith(".txt")).count();
  }

  public Object restore(InputStream upload) throws IOException, ClassNotFoundException {
    return new ObjectInputStream(upload).readObject();
  }

  public void remove(Path path) {
    try {
      Files.delete(path);
    } catch (IOException e) {
    }
  }

  public void removeIfThere(Path path) throws IOException {
    try {
      Files.delete(path);
    } catch (NoSuchFileException gone) {
      LOG.log(Level.FINE, "was gone", gone);
    }
  }

  public List<String> zones() {
    var found = new ArrayList<String>();
    List.of("north", "south")
        .forEach(
            zone -> {
              try (var in = new FileInputStream("/etc/zones/" + zone)) {
                found.add(new String(in.readAllBytes()));
              } catch (Exception ignored) {
                return;
              }
            });
    return found;
  }

  public Connection again(String url) throws SQLException {
    SQLException last = null;
    for (int attempt = 0; attempt < 3; attempt++) {
      try {
        return DriverManager.getConnection(url);
      } catch (SQLException e) {
        last = e;
      }
    }
    throw last;
  }

  public String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> names(ResultSet rows) throws SQLException {
    var names = new ArrayList<String>();
    while (rows.next()) {
      names.add(rows.getString("customer"));
    }
    return names;
  }
}
