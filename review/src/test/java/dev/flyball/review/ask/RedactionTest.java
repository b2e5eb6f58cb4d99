package dev.flyball.review.ask;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RedactionTest {
  @Test
  void what_looks_like_a_secret_is_removed_and_counted() {
    var key = "AKIA" + "ABCDEFGHIJKLMNOP";
    var word = "c0rrect" + "h0rse" + "b4ttery";
    var redaction = new Redaction();
    var clean =
        redaction.of("a = " + key + "\npassword = \"" + word + "\"\nhttp://u:" + word + "@h/\n");
    assertThat(clean)
        .doesNotContain(key, word)
        .contains("a = [secret: 20 characters]", "\"[secret: 19 characters]\"", "@h/");
    assertThat(redaction.count()).isEqualTo(3);
  }

  @Test
  void other_text_stays_as_it_is() {
    var text = "int token = next();\nString name = \"a\";\nhttp://host:8080/path@2\n";
    var redaction = new Redaction();
    assertThat(redaction.of(text)).isEqualTo(text);
    assertThat(redaction.count()).isZero();
  }
}
