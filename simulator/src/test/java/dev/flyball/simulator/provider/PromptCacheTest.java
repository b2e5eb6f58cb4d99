package dev.flyball.simulator.provider;

import static dev.flyball.simulator.provider.SampleRequests.SECOND;
import static dev.flyball.simulator.provider.SampleRequests.marked;
import static dev.flyball.simulator.provider.SampleRequests.rejection;
import static dev.flyball.simulator.provider.SampleRequests.served;
import static dev.flyball.simulator.provider.SampleRequests.small;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.limit.CallAttempt;
import dev.flyball.simulator.limit.InputSplit;
import dev.flyball.simulator.limit.ModelRequest;
import dev.flyball.simulator.limit.PromptPrefix;
import dev.flyball.simulator.limit.Rejection;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Prompts of which the start is known. */
final class PromptCacheTest {
  private static final PromptPrefix FIVE = new PromptPrefix(7, 2_000, Duration.ofMinutes(5));
  private static final PromptPrefix HOUR = new PromptPrefix(7, 2_000, Duration.ofHours(1));
  private static final PromptPrefix LONGER = new PromptPrefix(8, 3_000, Duration.ofMinutes(5));
  private static final PromptPrefix SHORT = new PromptPrefix(9, 1_023, Duration.ofMinutes(5));

  private static InputSplit split(Provider provider, long input, long now, PromptPrefix... marks) {
    Serving serving = served(provider, marked("a", input, marks), now);
    provider.finish(serving, Math.max(now, serving.finishedAt()));
    return serving.split();
  }

  @Test
  void the_longest_known_prefix_is_read_and_the_rest_up_to_the_last_mark_is_written() {
    Provider provider = new Provider(Settings.of("unlimited"));

    assertThat(split(provider, 3_500, 0, FIVE)).isEqualTo(new InputSplit(0, 2_000, 0, 1_500));
    assertThat(split(provider, 3_500, 1, FIVE, LONGER))
        .isEqualTo(new InputSplit(2_000, 1_000, 0, 500));
    assertThat(split(provider, 3_500, 2, FIVE, LONGER)).isEqualTo(new InputSplit(3_000, 0, 0, 500));
    assertThat(split(provider, 3_500, 3, LONGER)).isEqualTo(new InputSplit(3_000, 0, 0, 500));
    assertThat(split(provider, 3_500, 4)).isEqualTo(new InputSplit(0, 0, 0, 3_500));
  }

  @Test
  void what_is_shorter_than_1024_tokens_is_not_kept() {
    Provider provider = new Provider(Settings.of("unlimited"));

    assertThat(split(provider, 1_100, 0, SHORT)).isEqualTo(new InputSplit(0, 0, 0, 1_100));
    assertThat(split(provider, 1_100, 1, SHORT)).isEqualTo(new InputSplit(0, 0, 0, 1_100));
  }

  @Test
  void each_reading_keeps_it_for_five_minutes_more() {
    Provider provider = new Provider(Settings.of("unlimited"));
    split(provider, 2_000, 0, FIVE);

    assertThat(split(provider, 2_000, 299 * SECOND, FIVE).read()).isEqualTo(2_000);
    assertThat(split(provider, 2_000, 598 * SECOND, FIVE).read()).isEqualTo(2_000);
    assertThat(split(provider, 2_000, 898 * SECOND, FIVE).read()).isZero();
  }

  @Test
  void a_short_mark_does_not_shorten_what_is_kept_for_an_hour() {
    Provider provider = new Provider(Settings.of("unlimited"));

    assertThat(split(provider, 2_000, 0, HOUR)).isEqualTo(new InputSplit(0, 0, 2_000, 0));
    split(provider, 2_000, 0, FIVE);

    assertThat(split(provider, 2_000, 1_800 * SECOND, FIVE).read()).isEqualTo(2_000);
  }

  @Test
  void a_prefix_is_kept_from_the_first_token_of_the_answer_on() {
    Provider provider = new Provider(Settings.of("unlimited").latency(Latency.parse("1s+10s")));
    Serving first = served(provider, marked("a", 2_000, FIVE), 0);

    assertThat(served(provider, marked("b", 2_000, FIVE), SECOND - 1).split().read()).isZero();
    Serving third = served(provider, marked("c", 2_000, FIVE), 2 * SECOND);
    assertThat(third.split().read()).isEqualTo(2_000);
    provider.finish(first, first.finishedAt());

    // Five minutes after the last first token, which the third had, and not after the last token.
    assertThat(served(provider, marked("d", 2_000, FIVE), 302 * SECOND).split().read())
        .isEqualTo(2_000);
    assertThat(served(provider, marked("e", 2_000, FIVE), 603 * SECOND).split().read()).isZero();
  }

  @Test
  void whoever_leaves_before_the_first_token_leaves_nothing_behind() {
    Provider provider = new Provider(Settings.of("unlimited").latency(Latency.parse("1s")));
    provider.cut(served(provider, marked("a", 2_000, FIVE), 0), SECOND / 2);

    assertThat(served(provider, marked("b", 2_000, FIVE), 2 * SECOND).split().read()).isZero();
  }

  @Test
  void a_prompt_that_is_known_is_charged_nothing_even_if_estimates_are_off() {
    Provider provider =
        new Provider(Settings.of("unlimited").limit("input=9000/min").estimateError(0.1));
    provider.finish(served(provider, marked("a", 2_000, FIVE), 0), 0);

    assertThat(served(provider, marked("b", 2_000, FIVE), SECOND).taken(0)).isZero();
  }

  @Test
  void where_reading_counts_it_is_charged() {
    Provider provider = new Provider(Settings.of("anthropic-start"));
    ModelRequest ask = marked("a", 2_000, FIVE);
    ModelRequest haiku =
        new ModelRequest(
            new CallAttempt("org", "key", "claude-3-5-haiku", "", 0, 0, 0),
            2_000,
            ask.breakpoints(),
            9,
            9,
            false,
            true);
    provider.finish(served(provider, haiku, 0), SECOND);

    Serving again = served(provider, haiku, 2 * SECOND);

    assertThat(again.split().read()).isEqualTo(2_000);
    assertThat(again.taken(1)).isEqualTo(2_000);
  }

  @Test
  void less_input_than_is_marked_is_all_of_it() {
    Provider provider = new Provider(Settings.of("unlimited"));

    assertThat(split(provider, 1_500, 0, FIVE)).isEqualTo(new InputSplit(0, 1_500, 0, 0));
  }

  @Test
  void to_keep_it_for_an_hour_costs_double() {
    // Two thousand tokens at three dollars a million, twice.
    Provider provider = new Provider(Settings.of("unlimited").spendCap(0.0119));
    provider.finish(served(provider, marked("a", 2_000, HOUR), 0), 0);

    assertThat(rejection(provider, small("b"), 0)).isInstanceOf(Rejection.SpendCap.class);
  }
}
