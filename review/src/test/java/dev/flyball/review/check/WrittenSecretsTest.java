package dev.flyball.review.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WrittenSecretsTest {
  private static final String ISSUED = "ghp_" + "q7Rt9xKp2LmW4vB8nZ1cY6dF3gH5jK0s";
  private static final String NAMED = "password = \"hunt" + "er2!\"\n";

  private static List<Claim> in(String path, String text) {
    return WrittenSecrets.in(List.of(SourceText.of(path, text)), false);
  }

  @Test
  void a_secret_is_critical_and_its_value_is_not_said() {
    assertThat(in("src/a.py", "x = 1\ny = '" + ISSUED + "'\n"))
        .singleElement()
        .satisfies(
            claim -> {
              assertThat(claim.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(claim.place()).isInstanceOf(Place.Lines.class);
              assertThat(((Place.Lines) claim.place()).line()).isEqualTo(2);
              assertThat(claim.toString()).contains("GitHub token").doesNotContain(ISSUED);
            });
  }

  @Test
  void in_a_test_only_what_was_issued_is_critical() {
    assertThat(in("src/a.py", NAMED)).extracting(Claim::severity).containsOnly(Severity.CRITICAL);
    assertThat(in("tests/test_a.py", NAMED))
        .extracting(Claim::severity)
        .containsOnly(Severity.MINOR);
    assertThat(in("tests/test_a.py", "y = '" + ISSUED + "'\n"))
        .extracting(Claim::severity)
        .containsOnly(Severity.CRITICAL);
  }

  @Test
  void what_only_shows_how_a_secret_looks_is_no_news_once_it_is_there() {
    for (var text :
        List.of(
            " * http://me:" + "s3cr" + "etPw@shop.org/\n",
            "x = 'mongodb://me:" + "s3cr" + "etPw@localhost/'\n",
            "x = 'mongodb://me:" + "s3cr" + "etPw@db.example.com/'\n",
            "token = '0123456789abcdef" + "0123456789abcdef01234567'\n")) {
      assertThat(there("src/a.py", text)).as(text).isEmpty();
    }
    assertThat(there("src/a.py", "x = 'mongodb://me:" + "s3cr" + "etPw@db.shop.org/'\n"))
        .hasSize(1);
    assertThat(in("src/a.py", "# http://me:" + "s3cr" + "etPw@shop.org/\n")).hasSize(1);
  }

  @Test
  void a_key_that_only_tests_name_opens_nothing_once_it_is_there() {
    var key =
        SourceText.of(
            "keys/a.pem",
            "-----BEGIN PRIVATE"
                + " KEY-----\n"
                + "MIIEvQIBADANBgkqhkiG".repeat(20)
                + "\n-----END PRIVATE"
                + " KEY-----\n");
    var test = SourceText.of("tests/test_a.py", "read('keys/a.pem')\n");
    var program = SourceText.of("a.py", "read('keys/a.pem')\n");
    assertThat(WrittenSecrets.in(List.of(key), true)).hasSize(1);
    assertThat(WrittenSecrets.in(List.of(key, test), true)).isEmpty();
    assertThat(WrittenSecrets.in(List.of(key, test, program), true)).hasSize(1);
    assertThat(WrittenSecrets.in(List.of(key, test), false)).hasSize(1);
  }

  @Test
  void what_a_digest_makes_of_nothing_is_no_secret() {
    assertThat(in("src/a.py", "if password == 'd41d8cd98f00b204e9800998ecf8427e': go()\n"))
        .isEmpty();
  }

  @Test
  void a_number_is_no_secret() {
    assertThat(in("src/a.cpp", "pw = 0x1000; /* always low */\n")).isEmpty();
  }

  private static List<Claim> there(String path, String text) {
    return WrittenSecrets.in(List.of(SourceText.of(path, text)), true);
  }
}
