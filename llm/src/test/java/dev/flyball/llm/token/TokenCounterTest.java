package dev.flyball.llm.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.EncodingType;
import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tokens that prompts will be. */
class TokenCounterTest {
  private static final String SENTENCE = "The quick brown fox jumps over the lazy dog. ";

  private static PromptSize prompt(String model, String text, int images) {
    return new PromptSize(
        model, OptionalLong.empty(), false, List.of(text), images, Optional.empty(), 0);
  }

  private static PromptSize prompt(String model, String text) {
    return prompt(model, text, 0);
  }

  private static TokenCounter.Learned known(TokenCounter tokens) {
    return tokens.learned().getOrDefault("m", TokenCounter.Learned.NOTHING);
  }

  @ParameterizedTest
  @CsvSource({
    "gpt-4o, 1000",
    "gpt-4.1-mini, 1000",
    "gpt-5, 1000",
    "o3-mini, 1000",
    "o1, 1000",
    "chatgpt-4o-latest, 1000",
    "gpt-4-turbo, 1000",
    "gpt-3.5-turbo, 1000",
    "text-embedding-3-small, 1000",
    "claude-sonnet-5, 1251",
    "anthropic.claude-opus-4-8, 1251",
    "openai/gpt-oss-120b, 1000",
    "llama-3, 1125",
    "not-claude, 1125",
    "olympus, 1125",
    "'', 1125"
  })
  void a_model_whose_encoding_is_public_is_counted_and_others_are_measured(
      String model, long expected) {
    var counter = new TokenCounter(Map.of());
    counter.count(model, "waits for the encoding");
    var count = counter.estimate(prompt(model, SENTENCE.repeat(100)));

    // Each sentence is ten tokens, and the last space is one.
    assertThat(count.tokens()).isCloseTo(expected + 8, within(1L));
  }

  @Test
  void a_picture_is_many_tokens_and_nothing_is_at_least_one() {
    var tokens = new TokenCounter(Map.of("m", new TokenCounter.Learned(0.06, 0, 9)));

    assertThat(new TokenCounter(Map.of()).estimate(prompt("m", "", 2)).tokens()).isEqualTo(3_008);
    assertThat(tokens.estimate(prompt("m", "")).tokens()).isEqualTo(1);
  }

  @Test
  void the_first_reply_sets_the_factor_and_the_others_refine_it() {
    var tokens = new TokenCounter(Map.of());
    var prompt = prompt("m", "x".repeat(4_000 - 32));
    assertThat(tokens.estimate(prompt).tokens()).isEqualTo(1_000);

    tokens.learn(tokens.estimate(prompt), Usage.of(1_500, 7));

    assertThat(tokens.estimate(prompt).tokens()).isEqualTo(1_500);
    assertThat(tokens.estimate(prompt("n", "x".repeat(4_000 - 32))).tokens()).isEqualTo(1_000);
    tokens.learn(tokens.estimate(prompt), Usage.of(1_300, 7));
    assertThat(tokens.estimate(prompt).tokens()).isEqualTo(1_400);
  }

  @Test
  void what_was_cached_was_input_too() {
    var tokens = new TokenCounter(Map.of());
    var prompt = prompt("m", "x".repeat(4_000 - 32));

    tokens.learn(tokens.estimate(prompt), new Usage(100, 1_800, 100, 7, Cost.NOTHING));

    assertThat(tokens.estimate(prompt).tokens()).isEqualTo(2_000);
  }

  @Test
  void the_error_shrinks_while_it_learns() {
    var tokens = new TokenCounter(Map.of());
    var random = new Random(5);
    double early = 0;
    for (int i = 0; i < 200; i++) {
      var count = tokens.estimate(prompt("m", "x".repeat(1_000 + random.nextInt(9_000))));
      double real = count.first() * 1.7 * (1 + 0.05 * random.nextGaussian());
      tokens.learn(count, Usage.of(Math.round(real), 0));
      early = i == 0 ? known(tokens).error() : early;
    }

    var learned = known(tokens);
    assertThat(learned.factor()).isCloseTo(1.7, within(0.1));
    assertThat(learned.error()).isLessThan(0.08).isLessThan(early / 3);
    assertThat(learned.samples()).isEqualTo(200);
  }

  @Test
  void one_absurd_usage_does_not_undo_what_was_learned() {
    var tokens = new TokenCounter(Map.of());
    var prompt = prompt("m", "x".repeat(4_000 - 32));
    for (int i = 0; i < 100; i++) {
      tokens.learn(tokens.estimate(prompt), Usage.of(1_000, 0));
    }

    tokens.learn(tokens.estimate(prompt), Usage.of(1L << 40, 0));

    assertThat(tokens.estimate(prompt).tokens()).isLessThan(1_500);
    tokens.learn(tokens.estimate(prompt), Usage.of(1, 0));
    assertThat(known(tokens).sane()).isTrue();
  }

  @Test
  void usage_that_says_nothing_teaches_nothing() {
    var tokens = new TokenCounter(Map.of());

    tokens.learn(tokens.estimate(prompt("m", "x")), Usage.of(0, 7));

    assertThat(tokens.learned()).isEmpty();
  }

  @Test
  void what_an_earlier_run_has_learned_is_the_start_unless_it_makes_no_sense() {
    var tokens =
        new TokenCounter(
            Map.of(
                "good", new TokenCounter.Learned(2, 0.1, 50),
                "zero", new TokenCounter.Learned(0, 0.1, 50),
                "huge", new TokenCounter.Learned(1e9, 0.1, 50),
                "none", new TokenCounter.Learned(Double.NaN, 0.1, 50),
                "never", new TokenCounter.Learned(2, 0.1, 0)));

    assertThat(tokens.learned()).containsOnlyKeys("good");
    assertThat(tokens.estimate(prompt("good", "x".repeat(4_000 - 32))).tokens()).isEqualTo(2_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", " ", "中"})
  @Timeout(60)
  void a_megabyte_of_one_thing_is_counted_in_time(String thing) {
    var text = thing.translateEscapes().repeat(1_000_000 / thing.translateEscapes().length());
    var tokens = new TokenCounter(Map.of());

    for (var model : List.of("gpt-4o", "claude-sonnet-5")) {
      assertThat(tokens.count(model, text).tokens()).isBetween(1_000L, 2_000_000L);
    }
  }

  @Test
  void a_plain_text_is_counted_exactly_and_by_what_was_learned() {
    var tokens =
        new TokenCounter(Map.of("gpt-4o (o200k_base)", new TokenCounter.Learned(1.5, 0.02, 9)));

    assertThat(tokens.count("gpt-5", SENTENCE.strip()))
        .isEqualTo(new TokenCounter.Count("gpt-5 (o200k_base)", 10, 11, 10));
    assertThat(tokens.count("gpt-4o", SENTENCE.strip()).tokens()).isEqualTo(15);
    assertThat(tokens.count("llama-3", "12345").tokens()).isEqualTo(2);
    assertThat(tokens.count(prompt("gpt-5", SENTENCE.strip())).tokens()).isEqualTo(18);
  }

  @Test
  void characters_that_were_held_against_the_truth_are_better_than_an_encoding_that_was_not() {
    var few = new TokenCounter(Map.of("claude-sonnet-5", new TokenCounter.Learned(3, 0.1, 5)));
    assertThat(few.count("claude-sonnet-5", SENTENCE.strip()).tokens()).isEqualTo(13);

    var many = new TokenCounter(Map.of("claude-sonnet-5", new TokenCounter.Learned(3, 0.1, 50)));
    var count = many.count("claude-sonnet-5", SENTENCE.strip());
    assertThat(count.tokens()).isEqualTo(33);

    // Each answer teaches both, and so the encoding has its turn.
    for (int i = 0; i < 20; i++) {
      many.learn(count, Usage.of(25, 1));
    }
    assertThat(many.count("claude-sonnet-5", SENTENCE.strip()).tokens()).isEqualTo(25);
    assertThat(many.learned()).containsKeys("claude-sonnet-5", "claude-sonnet-5 (cl100k_base)");
  }

  @Test
  void what_many_prompts_share_is_encoded_once() {
    var encoding = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);
    var counts = new CountCache(2);
    var system = SENTENCE.repeat(100);

    int first = counts.of(system, encoding);
    for (int i = 0; i < 10; i++) {
      assertThat(counts.of(new String(system), encoding)).isEqualTo(first);
    }

    assertThat(counts.encoded()).isEqualTo(system.length());
    assertThat(first).isEqualTo(encoding.countTokensOrdinary(system));
  }

  @Test
  void counts_that_are_remembered_are_bounded_and_by_encoding() {
    var registry = Encodings.newLazyEncodingRegistry();
    var one = registry.getEncoding(EncodingType.CL100K_BASE);
    var other = registry.getEncoding(EncodingType.O200K_BASE);
    var counts = new CountCache(2);
    var text = "Grüße aus Köln! ".repeat(100);

    assertThat(counts.of(text, one)).isEqualTo(one.countTokensOrdinary(text));
    assertThat(counts.of(text, other)).isEqualTo(other.countTokensOrdinary(text));
    for (int i = 0; i < 10; i++) {
      counts.of(text + i, one);
      counts.of(SENTENCE + i, one);
    }

    assertThat(counts.size()).isEqualTo(2);
  }
}
