package dev.flyball.review.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SecretsTest {
  private static final String LINE = "MIIEpAIBAAKCAQEA7bq3Fk9".repeat(3).substring(0, 64);

  @Test
  void a_note_says_how_long_a_secret_was_and_leaves_the_rest() {
    var value = "q7" + "Rt9xKp2LmW4vB8nZ";
    assertThat(Secrets.hidden("String apiKey = \"" + value + "\"; // of the shop"))
        .isEqualTo("String apiKey = \"[secret: 18 characters]\"; // of the shop");
  }

  @Test
  void lines_stay_lines_and_keep_the_signs_of_a_diff() {
    var text =
        "+-----BEGIN PRIVATE KEY-----\n+%s\n+%s\n+-----END PRIVATE KEY-----\n+x = 1\n"
            .formatted(LINE, LINE);
    assertThat(Secrets.hidden(text))
        .isEqualTo(
            """
            +[secret: 27 characters]
            +[secret: 64 characters]
            +[secret: 64 characters]
            +[secret: 25 characters]
            +x = 1
            """);
  }

  @Test
  void code_between_two_marks_is_no_key() {
    var text =
        """
        if (line.equals("-----BEGIN PRIVATE KEY-----")) {
          runtime.exec(command);
          skip("-----END PRIVATE KEY-----");
        }
        """;
    assertThat(Secrets.hidden(text)).isEqualTo(text);
  }

  @Test
  void code_behind_a_key_without_its_end_is_shown() {
    var text = "-----BEGIN PRIVATE KEY-----\n" + LINE + "\n\nruntime.exec(command);\n";
    assertThat(Secrets.hidden(text)).contains("runtime.exec(command);").doesNotContain(LINE);
  }

  @Test
  void a_certificate_is_public() {
    var text =
        "-----BEGIN CERTIFICATE-----\n%s\n%s\n-----END CERTIFICATE-----\n".formatted(LINE, LINE);
    assertThat(Secrets.hidden(text)).isEqualTo(text);
  }

  @Test
  void a_mask_keeps_every_column() {
    var value = "q7" + "Rt9xKp2LmW4vB8nZ";
    assertThat(Secrets.masked("token = '" + value + "' # x"))
        .isEqualTo("token = '" + "*".repeat(18) + "' # x");
  }

  @Test
  void what_was_hidden_once_is_not_hidden_again() {
    for (var text :
        List.of(
            "password = \"hunt" + "er2!\"",
            "-----BEGIN PRIVATE KEY-----\n" + LINE + "\n-----END PRIVATE KEY-----",
            "redis://:s3cr" + "etPw@cache/0")) {
      var hidden = Secrets.hide(text);
      assertThat(hidden.count()).isEqualTo(1);
      assertThat(Secrets.hide(hidden.text()).count()).isZero();
    }
  }

  @Test
  void secrets_come_in_their_order_and_apart() {
    var found =
        Secrets.in("AKIA" + "Q7RT9XKP2LMW4VB8 and postgres://app:x9" + "Kp2Lm@db/app token=");
    assertThat(found).extracting(Secret::kind).startsWith("AWS access key id");
    for (int i = 1; i < found.size(); i++) {
      assertThat(found.get(i).start()).isGreaterThanOrEqualTo(found.get(i - 1).end());
    }
    assertThat(found).hasSize(2);
  }
}
