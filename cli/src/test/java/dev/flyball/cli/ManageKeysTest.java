package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of tenants, as an operator makes, sees and revokes them. */
final class ManageKeysTest {
  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void open() {
    desk = new CommandDesk(folder);
  }

  private CommandDesk.Screen keys(String... words) {
    var all = new String[words.length + 2];
    all[0] = "keys";
    System.arraycopy(words, 0, all, 1, words.length);
    all[words.length + 1] = "--history=" + folder.resolve("history.db");
    return desk.flyball(all);
  }

  @Test
  void a_key_is_shown_once_and_kept_nowhere() throws Exception {
    var made = keys("add", "alice", "--weight", "2", "--day-usd", "5", "--models", "claude-*");
    var key = made.out().strip();
    assertThat(key).matches("flyball_[A-Za-z0-9_-]{43}");
    var list = keys("list");
    assertThat(list.out()).contains("alice", "active", "$0.00 of $5.00 today").doesNotContain(key);
    assertThat(keys("list", "--json").out()).contains("\"claude-*\"").doesNotContain(key);
    var bytes = Files.readAllBytes(folder.resolve("history.db"));
    assertThat(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1))
        .doesNotContain(key.substring(13));
    assertThat(keys("revoke", "alice").out()).contains("revoked the key of alice");
    assertThat(keys("list").out()).contains("revoked");
    assertThat(keys("add", "alice").out()).as("the name is free again").contains("flyball_");
  }

  @Test
  void what_cannot_be_is_refused_with_the_way_out() {
    assertThat(keys("list").err()).contains("create one: flyball keys add NAME");
    assertThat(keys("add").err()).contains("NAME is missing");
    assertThat(keys("make", "x").err()).contains("ACTION is add, list or revoke");
    assertThat(keys("add", "b ob").err()).contains("a tenant's name");
    assertThat(keys("add", "bob", "--weight", "0").err()).contains("weight is above 0");
    assertThat(keys("add", "bob", "--priority", "urgent").err()).contains("interactive, normal");
    assertThat(keys("add", "bob", "--day-usd", "lots").err()).contains("--day-usd", "2.50");
    assertThat(keys("revoke", "bob").err()).contains("there is no key for bob");
    assertThat(keys("list", "--weight", "2").err()).contains("--weight is for `keys add`");
    keys("add", "bob");
    assertThat(keys("add", "bob").err()).contains("revoke it first");
    assertThat(desk.flyball("dashboard", "--history=" + folder.resolve("none.db")).err())
        .contains("no history yet");
  }
}
