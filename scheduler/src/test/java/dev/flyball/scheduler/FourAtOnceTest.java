package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.scheduler.Stage.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Four calls of 15,000 tokens at once, an account of 40,000 a minute, and a provider that does not
 * let use grow faster than so much a minute.
 */
class FourAtOnceTest {
  private static final long SIZE = 15_000;
  private static final long LIMIT = 40_000;

  /** The account; a bucket, and what was used in the last minute. */
  private static final class Account {
    private record Used(double at, long tokens) {}

    private final Stage stage;
    private final long mostAMinute;
    private final List<Used> used = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();
    private double level = LIMIT;
    private double since;

    Account(Stage stage, long mostAMinute) {
      this.stage = stage;
      this.mostAMinute = mostAMinute;
    }

    Stage.Answer answer() {
      double now = stage.time().seconds();
      level = Math.min(LIMIT, level + (now - since) * LIMIT / 60);
      since = now;
      long minute = used.stream().filter(each -> now - each.at < 60).mapToLong(Used::tokens).sum();
      if (level < SIZE) {
        refusals.add("input tokens at " + now);
        long wait = (long) Math.ceil((SIZE - level) * 60 / LIMIT);
        return throttled(seen().exceeding(INPUT_TOKENS).retryAfter(Duration.ofSeconds(wait)));
      }
      if (minute + SIZE > mostAMinute) {
        refusals.add("acceleration at " + now);
        return throttled(seen().tooFast().retryAfter(Duration.ofSeconds(10)));
      }
      level -= SIZE;
      used.add(new Used(now, SIZE));
      return new Stage.Answer(0.5, Reply.answered("ok", Usage.of(SIZE, 0), seen()));
    }

    private static Stage.Answer throttled(Signals signals) {
      return new Stage.Answer(0.1, Stage.throttled(signals));
    }

    private Signals seen() {
      return Signals.of(Sighting.of(INPUT_TOKENS, LIMIT, (long) level));
    }
  }

  private static LearnedLimits run(LearnedLimits memory, long mostAMinute, int refusals) {
    var stage =
        new Stage()
            .knowing(AllowanceTerms.of(INPUT_TOKENS))
            .with(builder -> builder.memory(memory));
    var account = new Account(stage, mostAMinute);
    var roles = stage.enter(4, call("unit", SIZE), n -> account.answer());
    stage.finish();
    assertThat(roles).allMatch(Stage.Role::done);
    assertThat(account.refusals).hasSizeLessThanOrEqualTo(refusals);
    assertThat(stage.time().seconds()).isLessThan(600);
    return stage.flyball().memory();
  }

  @ParameterizedTest
  @ValueSource(longs = {30_000, 40_000, 45_000})
  void all_are_answered_after_three_refusals_and_after_none_the_next_time(long mostAMinute) {
    var memory = run(LearnedLimits.NONE, mostAMinute, 3);
    for (int i = 0; i < 3; i++) {
      memory = run(memory, mostAMinute, 0);
    }
  }
}
