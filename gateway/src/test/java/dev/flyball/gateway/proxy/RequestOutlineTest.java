package dev.flyball.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RequestOutlineTest {
  private static RequestOutline of(String body, int seed) {
    var outline = new RequestOutline();
    var random = new SplittableRandom(seed);
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    for (int from = 0; from < bytes.length; ) {
      int to = seed == 0 ? bytes.length : Math.min(bytes.length, from + random.nextInt(1, 40));
      outline.feed(bytes, from, to);
      from = to;
    }
    return outline;
  }

  @Test
  void it_is_the_same_however_the_body_is_cut() {
    var text = "say \\\"hi\\\" \\\\ and {[, ".repeat(100);
    var body =
        "{ \"messages\" : [{\"role\":\"user\",\"model\":\"not-this\",\"content\":\"%s\"}],\n \"n\":2, \"stream\" :true,\"max_tokens\": 150 , \"model\":\"gpt-5.4\"}"
            .formatted(text);
    for (int seed = 0; seed < 300; seed++) {
      var outline = of(body, seed);
      assertThat(outline.model()).isEqualTo("gpt-5.4");
      assertThat(body.substring((int) outline.modelFrom(), (int) outline.modelTo()))
          .isEqualTo("gpt-5.4");
      assertThat(outline.mostOutput()).isEqualTo(300);
      assertThat(outline.streamed()).isTrue();
      assertThat(outline.images()).isZero();
      assertThat(outline.textBytes()).isBetween((long) text.length(), text.length() + 60L);
    }
  }

  @Test
  void a_long_text_ends_at_its_quote_wherever_that_is_and_whatever_is_before_it() {
    for (var filling : new String[] {"a", "\u00e9", "\u20ac", "!", "]", "\ud83d\ude00", "\u007f"}) {
      for (int length = 0; length < 90; length++) {
        var text = "x".repeat(250) + filling.repeat(length);
        for (var end : new String[] {"", "\\\\", "\\\""}) {
          var body = "{\"prompt\":\"" + text + end + "\",\"model\":\"gpt-5.4\"}";
          assertThat(of(body, 0).model()).as(body).isEqualTo("gpt-5.4");
          assertThat(of(body, 0).textBytes())
              .isEqualTo((text + end).getBytes(StandardCharsets.UTF_8).length);
        }
      }
    }
  }

  @Test
  void pictures_and_files_are_no_text() {
    var picture = "iVBORw0KGgo".repeat(10_000);
    var anthropic =
        "{\"model\":\"m\",\"messages\":[{\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"data\":\""
            + picture
            + "\"}},{\"type\":\"text\",\"text\":\"what is it\"}]}]}";
    var openai =
        "{\"model\":\"m\",\"messages\":[{\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,"
            + picture
            + "\"}}]}]}";
    for (var body : new String[] {anthropic, openai}) {
      var outline = of(body, 3);
      assertThat(outline.images()).isOne();
      assertThat(outline.textBytes()).isLessThan(200);
    }
    var prose = "{\"model\":\"m\",\"data\":\"" + "some words ".repeat(1_000) + "\"}";
    assertThat(of(prose, 3).textBytes()).isGreaterThan(10_000);
  }

  @Test
  void what_is_no_json_asks_no_model_and_harms_nobody() {
    for (var body :
        new String[] {"", "[]", "}}}}", "\"", "{\"model\":", "{\"model\":5}", "\\\"{"}) {
      var outline = of(body, 1);
      assertThat(outline.model()).as(body).isEmpty();
      assertThat(outline.mostOutput()).isNegative();
    }
    var random = new SplittableRandom(7);
    for (int i = 0; i < 2_000; i++) {
      var bytes = new byte[random.nextInt(200)];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) "{}[]\":,\\ 1tmodelnsr\u00e9".charAt(random.nextInt(20));
      }
      var outline = new RequestOutline();
      outline.feed(bytes, 0, bytes.length);
      assertThat(outline.textBytes()).isNotNegative();
    }
  }
}
