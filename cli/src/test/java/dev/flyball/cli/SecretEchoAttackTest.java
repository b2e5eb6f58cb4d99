package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.cli.config.ShownValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets that somebody put in the right place or in a wrong one, and what the screen shows. */
final class SecretEchoAttackTest {
  @TempDir Path folder;
  private CommandDesk desk;
  private RecordingProvider provider;

  @BeforeEach
  void open() throws IOException {
    desk = new CommandDesk(folder);
    provider = RecordingProvider.start();
    desk.write("in.jsonl", CommandDesk.anthropic("a", "m", "hello"));
    desk.environment.put("MY_TOKEN", "hunter2-of-the-environment");
    desk.environment.put("ANTHROPIC_BASE_URL", provider.address().toString());
  }

  @AfterEach
  void close() {
    provider.close();
    desk.close();
  }

  private CommandDesk.Screen batch(String... more) {
    var args = new String[more.length + 3];
    args[0] = "batch";
    args[1] = desk.file("in.jsonl").toString();
    args[2] = "--progress=none";
    System.arraycopy(more, 0, args, 3, more.length);
    return desk.flyball(args);
  }

  @ParameterizedTest
  @CsvSource({
    "FLYBALL_HEADER, X-Tok=hunter2, X-Tok=***",
    "FLYBALL_HEADER, Authorization: Bearer hunter2==, ***",
    "FLYBALL_HEADER, X-Tok=env:MY_TOKEN, X-Tok=env:MY_TOKEN",
    "FLYBALL_BASE_URL, https://host/v1?key=hunter2, https://host/v1?***",
    "FLYBALL_BASE_URL, https://me:hunter2@host/v1, https://***host/v1",
    "FLYBALL_BASE_URL, https://me:hun/ter@hunter2@host/v1, https://***host/v1",
    "FLYBALL_KEY_ENV, sk-ant-hunter2, not shown",
    "FLYBALL_KEY_ENV, AKIAHUNTER2HUNTER2XX, not shown",
    "FLYBALL_KEY_ENV, MY_TOKEN, MY_TOKEN",
    "FLYBALL_HISTORY, postgresql://me:hunter2@host/db, as me",
    "FLYBALL_HISTORY, jdbc:postgresql://host/db?user=me&password=hunter2, password=***",
    "FLYBALL_MODEL, sk-ant-api03-hunter2hunter2, ***"
  })
  void the_configuration_shows_no_secret(String variable, String value, String shown)
      throws IOException {
    desk.environment.put(variable, value);
    var screen = desk.flyball("config");
    assertThat(screen.exit()).isZero();
    assertThat(screen.out()).contains(shown).doesNotContainIgnoringCase("hunter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--header=Authorization: Bearer hunter2",
        "--header=Authorization: Bearer hunter2==",
        "--header=hunter2",
        "--header==hunter2",
        "--header=X-Key=env:hunter2",
        "--header=X-Key=hunter2\r\nX: y",
        "--base-url=https://me:hunter2@host/v1",
        "--base-url=https://me:hunter2 @host/v1",
        "--base-url=https://me:hunter2@[host/v1",
        "--base-url=sk-ant-hunter2",
        "--base-url=ftp://host/?key=hunter2",
        "--key-env=sk-ant-hunter2",
        "--key-env=gsk_hunter2hunter2hunter2",
        "--key-env=MY_TOKEN,sk-ant-hunter2",
        "--provider=sk-ant-api03-hunter2",
        "--profile=sk-ant-api03-hunter2",
        "--max-retries=sk-ant-api03-hunter2",
        "--max-wait=hunter2-of-the-environment",
        "--concurrency=sk-proj-hunter2hunter2",
        "--history=mysql://me:hunter2@host/db",
        "--history=postgresql://me:hunter2@ho st/db",
        "--api-key=hunter2",
        "--token=hunter2",
        "sk-ant-api03-hunter2",
        "-ksk-ant-api03-hunter2",
        "ghp_hunter2hunter2hunter2",
        "--progress=Bearer hunter2"
      })
  void what_is_wrong_is_said_without_the_secret(String word) {
    var screen = batch(word);
    assertThat(screen.exit()).as(screen.err()).isEqualTo(2);
    assertThat(screen.out() + screen.err()).doesNotContain("hunter2");
    assertThat(provider.heard()).isEmpty();
  }

  @Test
  void a_header_comes_from_a_variable_and_a_literal_one_is_warned_of() {
    var screen = batch("--header", "Authorization=env:MY_TOKEN");
    assertThat(screen.err()).isEmpty();
    assertThat(provider.heard().getFirst().headers().get("Authorization"))
        .containsExactly("hunter2-of-the-environment");

    desk.environment.put("FLYBALL_OUTPUT", desk.file("other.jsonl").toString());
    var warned = batch("--header", "X-Api-Key=hunter2");
    assertThat(warned.err()).contains("env:VARIABLE").doesNotContain("hunter2");
  }

  @Test
  void wrong_settings_of_the_user_are_refused_without_their_text() throws IOException {
    for (var text :
        new String[] {
          "header: 'X: hunter2",
          "providers: {a: {url: 'https://me:hunter2@host'}}",
          "providers: {a: {url: 'https://me:hunter2 @host'}}",
          "header: [A=hunter2, B=c]",
          "headr: hunter2"
        }) {
      desk.user(text);
      var screen = desk.flyball("config");
      assertThat(screen.exit()).as(text).isEqualTo(2);
      assertThat(screen.err()).contains("config.yaml line 1").doesNotContain("hunter2");
    }
  }

  @Test
  void foreign_words_in_a_message_are_inert() {
    var screen = batch("--mo\u001b[2Jdel\u202e\n::error::x");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err().lines()).hasSize(1);
    assertThat(screen.err()).doesNotContain("\u001b", "\u202e");
    assertThat(ShownValue.of("\u7528\u6237 \u00e9 ok", Map.of()))
        .isEqualTo("\u7528\u6237 \u00e9 ok");
  }
}
