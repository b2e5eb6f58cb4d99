package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.TOKENS;
import static dev.flyball.scheduler.Stage.LANE;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.RetryPolicy;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.call.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The blocking front door, on the caller's own thread. */
@Timeout(20)
class FrontDoorTest {
  private static final RetryPolicy AT_ONCE =
      new RetryPolicy(5, Duration.ofNanos(1), Duration.ofNanos(1), 0);

  @Test
  void a_call_is_run_to_its_answer() throws InterruptedException {
    try (var flyball = Flyball.create()) {
      var outcome =
          flyball.run(
              Call.to(LANE),
              attempt -> {
                attempt.sighted(Signals.of(Sighting.of(TOKENS, 9, 8)));
                return Reply.answered("attempt " + attempt.number(), Usage.of(1, 2));
              });
      assertThat(outcome).isEqualTo(new Outcome.Done<>("attempt 1", Usage.of(1, 2), 1));
      assertThat(flyball.snapshot().lanes().getFirst().gauges()).hasSize(1);
      Stage.assertClean(flyball);
    }
  }

  @Test
  void an_answer_is_returned_as_it_is() throws InterruptedException {
    try (var flyball = Flyball.create()) {
      int answer = flyball.answer(Call.to(LANE), attempt -> Reply.answered(42, Usage.NONE));
      assertThat(answer).isEqualTo(42);
    }
  }

  @Test
  void a_call_without_an_answer_throws_with_its_outcome() {
    try (var flyball = Flyball.create()) {
      var thrown =
          catchThrowableOfType(
              FlyballException.class,
              () ->
                  flyball.answer(
                      Call.to(LANE), attempt -> Reply.rejected("no such model", "name one")));
      assertThat(thrown).hasMessage("no such model: name one");
      assertThat(thrown.outcome()).isInstanceOf(Outcome.GaveUp.class);
    }
  }

  @Test
  void a_refused_call_throws_with_its_outcome() {
    try (var flyball = Flyball.create()) {
      flyball.drain();
      var thrown =
          catchThrowableOfType(
              FlyballException.class, () -> flyball.answer(call("late"), Stage.OK));
      assertThat(thrown).hasMessageContaining("shutting down");
      assertThat(thrown.outcome())
          .isEqualTo(new Outcome.Refused<String>(new Refusal.ShuttingDown(), 0));
    }
  }

  @Test
  void an_exception_of_the_connection_is_a_broken_attempt_and_tried_again()
      throws InterruptedException {
    try (var flyball = Flyball.builder().retries(AT_ONCE).build()) {
      var run = Account.of("run");
      flyball.budget(run, Budget.tokens(1_000));
      var outcome =
          flyball.run(
              Call.to(LANE).paidBy(run).estimated(Estimate.of(100, 200)),
              attempt -> {
                if (attempt.number() == 1) {
                  throw new IOException("connection reset");
                }
                return answered(100, 10);
              });
      assertThat(outcome)
          .as("the first may have been billed")
          .isEqualTo(new Outcome.Done<>("ok", Usage.of(200, 210), 2));
      assertThat(flyball.snapshot().budgets().getFirst().tokensSpent()).isEqualTo(410);
      Stage.assertClean(flyball);
    }
  }

  @Test
  void what_else_is_thrown_is_passed_on_and_leaves_nothing_held() {
    try (var flyball = Flyball.create()) {
      var run = Account.of("run");
      flyball.budget(run, Budget.tokens(1_000));
      for (Throwable bug : List.of(new IllegalStateException("a bug"), new AssertionError("bug"))) {
        Work<String> work =
            attempt -> {
              if (bug instanceof RuntimeException thrown) {
                throw thrown;
              }
              throw (Error) bug;
            };
        var call = Call.to(LANE).paidBy(run).estimated(Estimate.of(100, 200));
        assertThatThrownBy(() -> flyball.run(call, work)).isSameAs(bug);
      }
      Stage.assertClean(flyball);
    }
  }

  @Test
  void retries_run_the_work_again_with_a_fresh_attempt() throws InterruptedException {
    try (var flyball = Flyball.builder().retries(AT_ONCE).build()) {
      var numbers = new ArrayList<Integer>();
      var outcome =
          flyball.run(
              Call.to(LANE),
              attempt -> {
                numbers.add(attempt.number());
                return numbers.size() < 3 ? overloaded() : answered();
              });
      assertThat(outcome).isInstanceOf(Outcome.Done.class);
      assertThat(numbers).containsExactly(1, 2, 3);
    }
  }

  @Test
  void those_who_make_the_attempt_themselves_get_a_permit_and_come_again()
      throws InterruptedException {
    try (var flyball = Flyball.builder().retries(AT_ONCE).build()) {
      var first = ((Admission.Granted<String>) flyball.<String>admit(call("mine"))).permit();
      assertThat(first.number()).isEqualTo(1);
      assertThat(first.settle(overloaded())).isEqualTo(new NextStep.Again<String>());
      var second = ((Admission.Granted<String>) flyball.again(first)).permit();
      assertThat(second.number()).isEqualTo(2);
      assertThat(second.settle(answered()))
          .isEqualTo(new NextStep.Ended<>(new Outcome.Done<>("ok", Usage.NONE, 2)));
      Stage.assertClean(flyball);
    }
  }

  @Test
  void a_permit_can_be_left_to_a_try_block() throws InterruptedException {
    try (var flyball = Flyball.create()) {
      if (flyball.<String>admit(call("mine")) instanceof Admission.Granted<String>(var permit)) {
        try (permit) {
          assertThat(flyball.snapshot().lanes().getFirst().inFlight()).isEqualTo(1);
        }
      }
      Stage.assertClean(flyball);
    }
  }
}
