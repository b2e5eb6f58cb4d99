package dev.flyball.history.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryLocationTest {
  @Test
  void a_path_is_a_file() {
    assertThat(HistoryLocation.of(".flyball/history.db"))
        .isEqualTo(new HistoryLocation.File(Path.of(".flyball/history.db")));
  }

  @Test
  void a_url_with_a_user_is_taken_apart() {
    assertThat(HistoryLocation.of("postgresql://me:s%40cret%2B+@db:5433/ours?sslmode=require"))
        .isEqualTo(
            new HistoryLocation.Server(
                "jdbc:postgresql://db:5433/ours?sslmode=require", "me", "s@cret++"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://me:hidden@db/ours",
        "postgres://me:hidden@db/ours",
        "jdbc:postgresql://db/ours?user=me&password=hidden",
        "jdbc:postgresql://db/ours?password=hidden&sslmode=require&sslpassword=hidden",
        "jdbc:postgresql://me:hidden@db/ours"
      })
  void a_password_is_never_shown(String text) {
    assertThat(HistoryLocation.of(text).toString()).contains("db/ours").doesNotContain("hidden");
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql://me:hid den@db/ours", "postgresql://me:hidden@/ours"})
  void what_is_wrong_with_a_url_is_said_without_its_password(String text) {
    assertThatThrownBy(() -> HistoryLocation.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("postgresql://user:password@host:port/db")
        .hasMessageNotContaining("hid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc:mysql://me:hidden@db/ours", "redis://me:hidden@db"})
  void other_databases_are_refused(String text) {
    assertThatThrownBy(() -> HistoryLocation.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("history is kept in a file or in PostgreSQL")
        .hasMessageNotContaining("hidden");
  }
}
