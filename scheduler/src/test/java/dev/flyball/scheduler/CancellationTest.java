package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.scheduler.Stage.LANE;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Account;
import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Work;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Interrupts, deadlines, withdrawals and the end: each gives everything back. */
@Timeout(20)
class CancellationTest {
  private static final Account RUN = Account.of("run");

  @RegisterExtension final Stage stage = new Stage();
  private final HandTime time = new HandTime();

  /** Where nothing happens by itself. */
  private Flyball still() {
    return Flyball.builder().time(time).mostInFlight(1).build();
  }

  /** What a thread of its own came back with, and whether it was left interrupted. */
  private record Ending<T>(T value, boolean interrupted) {}

  private static <T> FutureTask<Ending<Outcome<T>>> start(
      Flyball flyball, Call call, Work<T> work) {
    var task =
        new FutureTask<>(
            () -> {
              var outcome = flyball.run(call, work);
              return new Ending<>(outcome, Thread.currentThread().isInterrupted());
            });
    Thread.startVirtualThread(task);
    return task;
  }

  private static void awaitWaiting(Flyball flyball, int count) {
    while (flyball.snapshot().lanes().stream().mapToInt(LaneSnapshot::waiting).sum() != count) {
      Thread.onSpinWait();
    }
  }

  private static Permit<String> admit(Flyball flyball) throws InterruptedException {
    return ((Admission.Granted<String>) flyball.<String>admit(call("first"))).permit();
  }

  @Test
  void an_interrupt_ends_the_waiting_and_gives_the_place_back() throws Exception {
    var flyball = still();
    var first = admit(flyball);
    var thrown = new CompletableFuture<Throwable>();
    var thread =
        Thread.startVirtualThread(
            () -> {
              try {
                flyball.run(call("waiting"), Stage.OK);
              } catch (InterruptedException interrupted) {
                thrown.complete(interrupted);
              }
            });
    awaitWaiting(flyball, 1);
    thread.interrupt();
    assertThat(thrown.get())
        .hasMessageContaining("interrupted while waiting for a free connection");
    thread.join();
    assertThat(flyball.snapshot().lanes().getFirst().waiting()).isZero();
    first.settle(answered());
    Stage.assertClean(flyball);
  }

  @Test
  void an_interrupt_that_comes_before_the_waiting_counts_too() throws Exception {
    var flyball = still();
    var first = admit(flyball);
    var task =
        new FutureTask<>(
            () -> {
              Thread.currentThread().interrupt();
              return flyball.run(call("waiting"), Stage.OK);
            });
    Thread.startVirtualThread(task);
    assertThatThrownBy(task::get).hasCauseInstanceOf(InterruptedException.class);
    first.settle(answered());
    Stage.assertClean(flyball);
  }

  @Test
  void a_deadline_refuses_a_waiting_call_in_time() throws Exception {
    var flyball = still();
    var first = admit(flyball);
    var waiting = start(flyball, call("waiting").within(Duration.ofSeconds(5)), Stage.OK);
    awaitWaiting(flyball, 1);
    time.pass(Duration.ofSeconds(5));
    assertThat(waiting.get())
        .isEqualTo(
            new Ending<>(
                new Outcome.Refused<String>(new Refusal.TooLate(Duration.ofSeconds(5)), 0), false));
    first.settle(answered());
    Stage.assertClean(flyball);
  }

  /** An attempt that tells when it is under way and never ends by itself. */
  private static Work<String> endless(CountDownLatch underWay) {
    return attempt -> {
      underWay.countDown();
      new CountDownLatch(1).await();
      return answered();
    };
  }

  @Test
  void a_deadline_cuts_the_attempt_in_flight_and_leaves_no_interrupt_behind() throws Exception {
    var flyball = still().budget(RUN, Budget.tokens(1_000));
    var underWay = new CountDownLatch(1);
    var cut =
        start(
            flyball,
            Call.to(LANE)
                .within(Duration.ofSeconds(5))
                .paidBy(RUN)
                .estimated(Estimate.of(100, 200)),
            endless(underWay));
    underWay.await();
    time.pass(Duration.ofSeconds(5));
    var ending = cut.get();
    assertThat(ending.interrupted()).isFalse();
    assertThat(((Outcome.GaveUp<String>) ending.value()).why()).isEqualTo("no answer within PT5S");
    assertThat(flyball.snapshot().budgets().getFirst().tokensSpent())
        .as("it may have been billed")
        .isEqualTo(300);
    Stage.assertClean(flyball);
  }

  @Test
  void a_cut_that_the_connection_reports_in_its_own_way_is_a_cut() throws Exception {
    var flyball = still();
    var underWay = new CountDownLatch(1);
    var cut =
        start(
            flyball,
            Call.to(LANE).within(Duration.ofSeconds(5)),
            attempt -> {
              try {
                return endless(underWay).attempt(attempt);
              } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("read was interrupted");
              }
            });
    underWay.await();
    time.pass(Duration.ofSeconds(5));
    assertThat(cut.get().interrupted()).isFalse();
    assertThat(cut.get().value()).isInstanceOf(Outcome.GaveUp.class);
    Stage.assertClean(flyball);
  }

  @Test
  void an_answer_that_the_cut_found_finished_is_kept() throws Exception {
    var flyball = still();
    var underWay = new CountDownLatch(1);
    var cut =
        start(
            flyball,
            Call.to(LANE).within(Duration.ofSeconds(5)),
            attempt -> {
              try {
                return endless(underWay).attempt(attempt);
              } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return answered();
              }
            });
    underWay.await();
    time.pass(Duration.ofSeconds(5));
    assertThat(cut.get().value()).isInstanceOf(Outcome.Done.class);
    assertThat(cut.get().interrupted()).isFalse();
    Stage.assertClean(flyball);
  }

  @Test
  void a_call_that_ends_in_time_is_never_cut() throws Exception {
    var flyball = still();
    var done = start(flyball, call("quick").within(Duration.ofSeconds(5)), Stage.OK);
    assertThat(done.get().value()).isInstanceOf(Outcome.Done.class);
    time.pass(Duration.ofSeconds(50));
    assertThat(done.get().interrupted()).isFalse();
    Stage.assertClean(flyball);
  }

  @Test
  void a_deadline_bounds_all_attempts_together() {
    var role =
        stage.enter(
            call("failing").within(Duration.ofSeconds(30)), n -> new Stage.Answer(1, overloaded()));
    stage.finish();
    assertThat(role.admitted().getLast()).isLessThan(30);
    assertThat(role.ended()).isTrue();
  }

  @Test
  void whoever_withdraws_makes_room_for_the_next() {
    stage
        .knowing(AllowanceTerms.of(INPUT_TOKENS).limit(1_000))
        .with(builder -> builder.mostInFlight(1));
    var granted = stage.enter(call("granted", 1_000));
    var waiting = stage.enter(call("waiting", 1_000));
    var next = stage.enter(call("next", 1_000));
    waiting.withdraw();
    granted.withdraw();
    assertThat(next.inFlight()).isTrue();
    assertThat(stage.lane().waiting()).isZero();
  }

  @Test
  void withdrawing_what_has_ended_changes_nothing() {
    var role = stage.enter(call("ended"));
    role.reply(answered());
    role.waiter().withdraw();
    role.waiter().withdraw();
    assertThat(stage.lane().metrics().completed()).isEqualTo(1);
    assertThat(stage.lane().metrics().errored()).isZero();
  }

  @Test
  void a_call_can_be_withdrawn_in_every_place_where_it_waits() {
    stage.flyball().budget(RUN, Budget.tokens(10));
    var holder = stage.enter(call("holder", 10).paidBy(RUN));
    var poor = stage.enter(call("poor", 10).paidBy(RUN));
    var leader = stage.enter(call("leader").sharing("prefix"));
    var follower = stage.enter(call("follower").sharing("prefix"));
    var retrying = stage.enter(call("retrying"));
    retrying.reply(Stage.broken(true));
    var queued = stage.enter(6, call("queued"));
    assertThat(poor.waiting().constraint()).isEqualTo(Constraint.BUDGET);
    assertThat(follower.waiting().constraint()).isEqualTo(Constraint.LEADER);
    assertThat(retrying.waiting().constraint()).isEqualTo(Constraint.RETRY);
    poor.withdraw();
    follower.withdraw();
    retrying.withdraw();
    queued.getLast().withdraw();
    holder.reply(answered());
    leader.reply(answered());
    stage.pass(5);
    assertThat(poor.admitted()).isEmpty();
    assertThat(follower.admitted()).isEmpty();
    assertThat(retrying.admitted()).hasSize(1);
  }

  @Test
  void draining_refuses_what_waits_and_lets_what_is_in_flight_end() {
    stage.with(builder -> builder.mostInFlight(2));
    var roles = stage.enter(5, call("call"));
    stage.flyball().drain();
    assertThat(Stage.inFlight(roles)).isEqualTo(2);
    assertThat(roles.get(4).outcome())
        .isEqualTo(new Outcome.Refused<String>(new Refusal.ShuttingDown(), 0));
    assertThat(stage.enter(call("new")).refusal()).isEqualTo(new Refusal.ShuttingDown());
    var other = LaneId.of("stage", "other");
    assertThat(stage.enter(call(other, "new")).refusal()).isEqualTo(new Refusal.ShuttingDown());
    roles.get(0).reply(answered());
    assertThat(roles.get(0).done()).isTrue();
    roles.get(1).reply(overloaded());
    assertThat(roles.get(1).outcome())
        .as("no retry starts")
        .isEqualTo(new Outcome.Refused<String>(new Refusal.ShuttingDown(), 1));
  }

  @Test
  void closing_waits_until_what_is_in_flight_has_ended() throws Exception {
    var flyball = still();
    var first = admit(flyball);
    var waiting = start(flyball, call("waiting"), Stage.OK);
    awaitWaiting(flyball, 1);
    var closer = Thread.ofPlatform().start(flyball::close);
    assertThat(waiting.get().value())
        .isEqualTo(new Outcome.Refused<String>(new Refusal.ShuttingDown(), 0));
    while (closer.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    first.settle(answered());
    closer.join();
    Stage.assertClean(flyball);
  }

  @Test
  void whoever_is_interrupted_while_closing_stays_interrupted() throws Exception {
    var flyball = still();
    var first = admit(flyball);
    var task =
        new FutureTask<>(
            () -> {
              Thread.currentThread().interrupt();
              flyball.close();
              return Thread.currentThread().isInterrupted();
            });
    Thread.startVirtualThread(task);
    assertThat(task.get()).isTrue();
    first.settle(answered());
  }

  @Test
  void closing_twice_is_closing() throws Exception {
    var flyball = still();
    admit(flyball).settle(answered());
    flyball.close();
    flyball.close();
    assertThat(flyball.run(call("late"), Stage.OK)).isInstanceOf(Outcome.Refused.class);
  }
}
