package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.scheduler.Stage.LANE;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Account;
import dev.flyball.call.BreakerState;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class EventsTest {
  @RegisterExtension final Stage stage = new Stage();

  @Test
  void of_an_answered_call() {
    var role = stage.enter(call("call"));
    stage.pass(3);
    role.reply(answered());
    assertThat(stage.events())
        .containsExactly(
            new Event.Queued(LANE, 0, "call"),
            new Event.Admitted(LANE, 0, "call", 1, Duration.ZERO),
            new Event.Settled(LANE, 0, 1, Reply.Kind.ANSWERED, Duration.ofSeconds(3)),
            new Event.Finished(LANE, 0, "call", role.outcome()));
  }

  @Test
  void of_a_call_that_waited() {
    stage.with(builder -> builder.mostInFlight(1));
    var first = stage.enter(call("first"));
    var second = stage.enter(call("second"));
    stage.pass(3);
    first.reply(answered());
    assertThat(stage.events())
        .filteredOn(event -> event instanceof Event.Admitted)
        .containsExactly(
            new Event.Admitted(LANE, 0, "first", 1, Duration.ZERO),
            new Event.Admitted(LANE, 1, "second", 1, Duration.ofSeconds(3)));
    second.reply(answered());
  }

  @Test
  void of_a_throttled_call() {
    var role = stage.enter(call("call"));
    role.permit()
        .sighted(Signals.of(Sighting.of(REQUESTS, 600, 500).resetIn(Duration.ofSeconds(10))));
    role.reply(throttled(Signals.NONE.exceeding(REQUESTS).retryAfter(Duration.ofSeconds(2))));
    stage.pass(60);
    role.reply(answered());
    assertThat(stage.events().subList(0, 6))
        .containsExactly(
            new Event.Queued(LANE, 0, "call"),
            new Event.Admitted(LANE, 0, "call", 1, Duration.ZERO),
            new Event.LimitLearned(LANE, REQUESTS, 600),
            new Event.Throttled(
                LANE, 0, Event.Cause.DIMENSION, Optional.of(REQUESTS), Duration.ofSeconds(2)),
            new Event.Settled(LANE, 0, 1, Reply.Kind.THROTTLED, Duration.ZERO),
            new Event.Retrying(LANE, 0, 2, Duration.ZERO));
    assertThat(stage.events().subList(6, stage.events().size()))
        .extracting(event -> event.getClass().getSimpleName())
        .containsSubsequence("Admitted", "Settled", "Finished");
    assertThat(stage.events().getLast()).isInstanceOf(Event.Finished.class);
  }

  @Test
  void of_a_call_that_fails_and_is_given_up() {
    stage.with(
        builder ->
            builder.retries(new RetryPolicy(1, Duration.ofSeconds(4), Duration.ofSeconds(4), 0)));
    var role = stage.enter(call("call"));
    role.reply(overloaded());
    stage.pass(5);
    role.reply(overloaded());
    assertThat(stage.events())
        .filteredOn(event -> !(event instanceof Event.ConcurrencyChanged))
        .containsExactly(
            new Event.Queued(LANE, 0, "call"),
            new Event.Admitted(LANE, 0, "call", 1, Duration.ZERO),
            new Event.Settled(LANE, 0, 1, Reply.Kind.OVERLOADED, Duration.ZERO),
            new Event.Retrying(LANE, 0, 2, Duration.ofSeconds(4)),
            new Event.Admitted(LANE, 0, "call", 2, Duration.ofSeconds(4)),
            new Event.Settled(LANE, 0, 2, Reply.Kind.OVERLOADED, Duration.ofSeconds(1)),
            new Event.Finished(LANE, 0, "call", role.outcome()));
  }

  @Test
  void of_a_call_that_is_refused_at_once() {
    stage.flyball().drain();
    var role = stage.enter(call("call"));
    assertThat(stage.events())
        .containsExactly(
            new Event.Queued(LANE, 0, "call"),
            new Event.Finished(
                LANE, 0, "call", new Outcome.Refused<String>(new Refusal.ShuttingDown(), 0)));
    assertThat(role.ended()).isTrue();
  }

  @Test
  void a_spent_budget_comes_before_the_end_of_the_call_that_it_ends() {
    var run = Account.of("run");
    stage.flyball().budget(run, Budget.tokens(5));
    var role = stage.enter(call("call").paidBy(run).estimated(Estimate.of(6, 0)));
    assertThat(stage.events())
        .containsExactly(
            new Event.Queued(LANE, 0, "call"),
            new Event.BudgetSpent(LANE, role.refusal()),
            new Event.Finished(LANE, 0, "call", role.outcome()));
  }

  @Test
  void what_changes_in_a_lane_comes_between_the_events_of_the_attempt_that_caused_it() {
    stage.with(builder -> builder.retries(RetryPolicy.USUAL.atMost(0)));
    var roles = stage.enter(3, call("call"));
    stage.pass(1);
    roles.forEach(role -> role.reply(overloaded()));
    var names = stage.events().stream().map(event -> event.getClass().getSimpleName()).toList();
    assertThat(names.subList(6, names.size()))
        .containsExactly(
            "ConcurrencyChanged",
            "Settled",
            "Finished", // the first halves it
            "Settled",
            "Finished",
            "BreakerChanged",
            "Settled",
            "Finished"); // the third opens it
    assertThat(stage.events()).contains(new Event.BreakerChanged(LANE, BreakerState.OPEN));
    stage.pass(6);
    stage.enter(call("probe")).reply(answered());
    assertThat(stage.events()).contains(new Event.BreakerChanged(LANE, BreakerState.CLOSED));
  }

  @Test
  void a_limit_that_runs_low_is_warned_of_once() {
    var role = stage.enter(call("call"));
    for (long left : new long[] {300, 59, 40, 20}) {
      role.permit().sighted(Signals.of(Sighting.of(REQUESTS, 600, left)));
    }
    assertThat(stage.events())
        .filteredOn(event -> event instanceof Event.LimitWarning)
        .containsExactly(
            new Event.LimitWarning(LANE, Event.Warning.NEARLY_USED_UP, Optional.of(REQUESTS)));
  }

  @Test
  void every_call_begins_and_ends_once_whatever_happens_to_it() {
    stage.with(builder -> builder.retries(RetryPolicy.USUAL.atMost(2)));
    var random = new java.util.SplittableRandom(7);
    var roles = new ArrayList<Stage.Role>();
    for (int i = 0; i < 200; i++) {
      var call = call("call-" + i);
      roles.add(
          stage.enter(
              random.nextInt(5) == 0 ? call.within(Duration.ofSeconds(3)) : call,
              n ->
                  new Stage.Answer(
                      random.nextDouble(),
                      switch (random.nextInt(10)) {
                        case 0 -> overloaded();
                        case 1 -> Stage.broken(true);
                        case 2 -> throttled(Signals.NONE.retryAfter(Duration.ofSeconds(1)));
                        case 3 -> Reply.rejected("no", "never");
                        default -> answered();
                      })));
    }
    stage.finish();
    for (int i = 0; i < 200; i++) {
      long number = i;
      var own = stage.events().stream().filter(event -> callOf(event) == number).toList();
      assertThat(own.getFirst()).isInstanceOf(Event.Queued.class);
      assertThat(own.getLast()).isInstanceOf(Event.Finished.class);
      assertThat(((Event.Finished) own.getLast()).outcome()).isEqualTo(roles.get(i).outcome());
      assertThat(count(own, Event.Queued.class)).isEqualTo(1);
      assertThat(count(own, Event.Finished.class)).isEqualTo(1);
      assertThat(count(own, Event.Admitted.class))
          .isEqualTo(count(own, Event.Settled.class))
          .isEqualTo(roles.get(i).admitted().size());
    }
  }

  private static long count(List<Event> events, Class<? extends Event> kind) {
    return events.stream().filter(kind::isInstance).count();
  }

  private static long callOf(Event event) {
    return switch (event) {
      case Event.Queued queued -> queued.call();
      case Event.Admitted admitted -> admitted.call();
      case Event.Settled settled -> settled.call();
      case Event.Throttled throttled -> throttled.call();
      case Event.Retrying retrying -> retrying.call();
      case Event.Finished finished -> finished.call();
      case Event.LimitLearned learned -> -1;
      case Event.LimitWarning warning -> -1;
      case Event.ConcurrencyChanged changed -> -1;
      case Event.BreakerChanged changed -> -1;
      case Event.BudgetSpent spent -> -1;
    };
  }

  @Test
  void a_listener_that_throws_harms_nobody() {
    var heard = new ArrayList<Event>();
    stage.with(
        builder ->
            builder
                .listener(
                    event -> {
                      throw new Stage.OnPurpose();
                    })
                .listener(heard::add));
    stage.enter(call("call")).reply(answered());
    assertThat(heard).isEqualTo(stage.events()).hasSize(5);
  }

  @Test
  @Timeout(30)
  void a_listener_that_blocks_harms_nobody() throws InterruptedException {
    var blocked = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var all = new CountDownLatch(4 * 50);
    var flyball =
        Flyball.builder()
            .listener(
                event -> {
                  blocked.countDown();
                  try {
                    release.await();
                  } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                  }
                  all.countDown();
                })
            .build();
    for (int i = 0; i < 50; i++) {
      flyball.answer(Call.to(LANE), attempt -> Reply.answered("ok", Usage.NONE));
    }
    blocked.await();
    flyball.close();
    assertThat(flyball.snapshot().total().completed()).isEqualTo(50);
    release.countDown();
    assertThat(all.await(20, TimeUnit.SECONDS)).as("and misses nothing").isTrue();
    assertThat(flyball.snapshot().eventsDropped()).isZero();
  }

  @Test
  void events_that_nobody_takes_are_dropped_and_counted() {
    var tasks = new ArrayList<Runnable>();
    var heard = new ArrayList<Event>();
    var flyball = Flyball.builder().listener(heard::add).listenersOn(tasks::add).build();
    flyball.drain();
    int calls = 40_000;
    for (int i = 0; i < calls; i++) {
      flyball.enter(call("call"), () -> {});
    }
    long dropped = flyball.snapshot().eventsDropped();
    assertThat(dropped).isPositive();
    assertThat(tasks).as("one task at a time").hasSize(1);
    tasks.removeFirst().run();
    assertThat(heard.size() + dropped).isEqualTo(2L * calls);
    flyball.enter(call("later"), () -> {});
    tasks.removeFirst().run();
    assertThat(((Event.Finished) heard.getLast()).name()).as("then it goes on").isEqualTo("later");
  }

  @Test
  void without_a_listener_nothing_is_waiting_to_be_heard() {
    var flyball = Flyball.builder().listenersOn(task -> assertThat(task).isNull()).build();
    flyball.enter(call("call"), () -> {});
    assertThat(flyball.snapshot().eventsDropped()).isZero();
  }

  @Test
  void an_attempt_is_in_the_flight_recording(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("attempts.jfr");
    try (var recording = new Recording()) {
      recording.enable("dev.flyball.Attempt");
      recording.start();
      var role = stage.enter(call("recorded").estimated(Estimate.of(100, 0)));
      role.reply(throttled(Signals.NONE));
      stage.pass(60);
      role.reply(answered(100, 0));
      recording.stop();
      recording.dump(file);
    }
    assertThat(Files.size(file)).isPositive();
    var attempts =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("dev.flyball.Attempt"))
            .filter(event -> event.getString("call").equals("recorded"))
            .toList();
    assertThat(attempts).hasSize(2);
    assertThat(attempts.get(0).getString("lane")).isEqualTo("stage/model");
    assertThat(attempts.get(0).getInt("attempt")).isEqualTo(1);
    assertThat(attempts.get(0).getString("reply")).isEqualTo("Throttled");
    assertThat(attempts.get(1).getString("reply")).isEqualTo("Answered");
    assertThat(attempts.get(1).getLong("cost")).isEqualTo(100);
  }

  @Test
  void time_waited_is_counted_by_what_was_waited_for() {
    stage.with(builder -> builder.mostInFlight(1));
    var first = stage.enter(call("first"));
    stage.enter(call("second"));
    stage.pass(5);
    first.reply(answered());
    var waited = stage.lane().metrics().waited();
    assertThat(waited).containsEntry(Constraint.SLOT, Duration.ofSeconds(5));
  }

  @Test
  void a_permit_tells_what_its_call_waited_for_before_each_attempt() {
    stage.with(builder -> builder.mostInFlight(1));
    var first = stage.enter(call("first"));
    var second = stage.enter(call("second"));
    stage.pass(5);
    assertThat(first.permit().waited()).isEmpty();
    first.reply(answered());
    assertThat(second.permit().waited()).isEqualTo(Map.of(Constraint.SLOT, Duration.ofSeconds(5)));
    second.reply(Reply.throttled(Signals.NONE.retryAfter(Duration.ofSeconds(7))));
    stage.pass(20);
    assertThat(second.permit().number()).isEqualTo(2);
    var waited = second.permit().waited();
    assertThat(waited.values().stream().mapToLong(Duration::toMillis).sum())
        .isBetween(7_000L, 20_000L);
    assertThat(waited).doesNotContainKey(Constraint.SLOT);
  }

  @Test
  void latencies_are_counted() {
    for (int i = 1; i <= 100; i++) {
      var role = stage.enter(call("call-" + i));
      stage.pass(i / 100.0);
      role.reply(answered());
    }
    var latency = stage.lane().metrics().latency();
    assertThat(latency.count()).isEqualTo(100);
    assertThat(latency.p50()).isEqualTo(Duration.ofMillis(500));
    assertThat(latency.p90()).isEqualTo(Duration.ofMillis(900));
    assertThat(latency.p99()).isEqualTo(Duration.ofMillis(990));
    assertThat(latency.mean()).isEqualTo(Duration.ofMillis(505));
  }

  @Test
  void the_total_is_the_sum_of_all_lanes() {
    var other = dev.flyball.call.LaneId.of("stage", "other");
    stage.enter(call("one")).reply(answered());
    stage.enter(call(other, "two")).reply(answered());
    stage.enter(call(other, "three")).reply(Reply.rejected("no", "never"));
    var total = stage.flyball().snapshot().total();
    assertThat(total.total()).isEqualTo(3);
    assertThat(total.completed()).isEqualTo(2);
    assertThat(total.errored()).isEqualTo(1);
    assertThat(total.attempts()).isEqualTo(3);
    assertThat(total.latency().count()).isEqualTo(3);
  }
}
