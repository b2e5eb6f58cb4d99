package dev.flyball.gateway.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.gateway.http.Caller;
import dev.flyball.scheduler.VirtualTime;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** The life of tasks, event by event, in virtual time. */
final class ReviewTaskTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final VirtualTime time = new VirtualTime();
  private final ScriptedWork work = new ScriptedWork();
  private final List<Throwable> broke = new ArrayList<>();
  private int patches;

  private Tasks tasks(int limit, int queued, WiderSlots wider, TaskWork does) {
    var random = RandomGenerator.of("L64X128MixRandom");
    return new Tasks(
        new Tasks.Means(does, wider, time, random, (id, broken) -> broke.add(broken)),
        TaskSettings.USUAL.room(
            new TaskSettings.Room(new TaskLimit(limit), queued, OptionalInt.empty())));
  }

  private Tasks tasks(int limit, int queued) {
    return tasks(limit, queued, WiderSlots.ALONE, work);
  }

  private TaskDetails details() throws Exception {
    return details("{\"patch\":\"p" + patches++ + "\"}");
  }

  private static TaskDetails details(String text) throws Exception {
    return TaskDetails.of(JSON.readTree(text), TaskSettings.USUAL);
  }

  private static ReviewTask letIn(Tasks.Admitted admitted) {
    assertThat(admitted).isInstanceOf(Tasks.LetIn.class);
    return ((Tasks.LetIn) admitted).task();
  }

  private ReviewTask begun(Tasks tasks, RecordingChannel channel) throws Exception {
    var task = letIn(tasks.admit(Tasks.newId(), details(), Caller.ANYBODY));
    task.start(channel);
    return task;
  }

  private void passes(Duration span) {
    double until = time.seconds() + span.toMillis() / 1e3;
    time.in(span.toMillis() / 1e3, () -> {});
    while (time.step(until)) {
      // Until it is so late.
    }
  }

  private static JsonNode error(RecordingChannel channel) throws IOException {
    assertThat(channel.latest().name()).isEqualTo("error");
    return JSON.readTree(channel.latest().data()).path("error");
  }

  private static void nothingIsLeft(Tasks tasks) {
    assertThat(tasks.counts().room().inFlight()).isZero();
    assertThat(tasks.counts().room().queued()).isZero();
    assertThat(tasks.open()).isZero();
  }

  @Test
  void a_task_that_completes_gives_its_slot_back_when_its_client_has_read_the_end()
      throws Exception {
    var tasks = tasks(1, 0);
    var channel = new RecordingChannel();
    channel.readsAtOnce = false;
    begun(tasks, channel);
    work.begun.getFirst().completes();
    assertThat(channel.latest().name()).isEqualTo("complete");
    assertThat(tasks.counts().room().inFlight()).isEqualTo(1);
    channel.reads();
    nothingIsLeft(tasks);
    assertThat(tasks.counts().completed()).isEqualTo(1);
  }

  @Test
  void a_full_server_says_so_in_every_field() throws Exception {
    var tasks = tasks(1, 0);
    begun(tasks, new RecordingChannel());
    var away = (Tasks.SentAway) tasks.admit(Tasks.newId(), details(), Caller.ANYBODY);
    var error = away.error().json().path("error");
    assertThat(away.error().json().path("success").asBoolean(true)).isFalse();
    assertThat(error.path("reason").asText()).isEqualTo("AT_CAPACITY");
    assertThat(error.path("code").asText()).isEqualTo("AT_CAPACITY");
    assertThat(error.path("phase").asText()).isEqualTo("setup");
    assertThat(error.path("recoverable").asBoolean()).isTrue();
    assertThat(error.path("retryAfterMs").asLong()).isEqualTo(30_000);
    assertThat(error.path("scope").asText()).isEqualTo("pod");
    assertThat(error.path("limit").asInt()).isEqualTo(1);
    assertThat(error.path("inFlight").asInt()).isEqualTo(1);
    assertThat(error.path("timestamp").asText()).endsWith("Z");
    assertThat(tasks.counts().shed().get(TaskReason.AT_CAPACITY)).isEqualTo(1);
    assertThat(work.begun).hasSize(1);
  }

  @Test
  void a_task_that_never_settles_is_cut_by_its_time() throws Exception {
    work.stopsWhenTold = false;
    var tasks = tasks(1, 0);
    var channel = new RecordingChannel();
    begun(tasks, channel);
    passes(TaskSettings.USUAL.times().task());
    assertThat(work.begun.getFirst().cancelled).isTrue();
    assertThat(tasks.counts().room().inFlight()).as("it gets some time").isEqualTo(1);
    passes(TaskSettings.USUAL.times().settle());
    assertThat(error(channel).path("reason").asText()).isEqualTo("TIMEOUT");
    nothingIsLeft(tasks);
    work.begun.getFirst().completes();
    assertThat(channel.finished).as("what comes later is not told").isEqualTo(1);
  }

  @Test
  void a_client_may_allow_less_time() throws Exception {
    var tasks = tasks(1, 0);
    var channel = new RecordingChannel();
    var details = details("{\"patch\":\"x\",\"deadlineSeconds\":5}");
    letIn(tasks.admit(Tasks.newId(), details, Caller.ANYBODY)).start(channel);
    passes(Duration.ofSeconds(6));
    assertThat(error(channel).path("reason").asText()).isEqualTo("TIMEOUT");
    assertThat(error(channel).path("recoverable").asBoolean()).isTrue();
    nothingIsLeft(tasks);
  }

  @Test
  void a_client_that_goes_away_ends_its_task() throws Exception {
    var tasks = tasks(1, 0);
    var task = begun(tasks, new RecordingChannel());
    task.cancel(TaskCode.CLIENT_GONE);
    assertThat(work.begun.getFirst().cancelled).isTrue();
    nothingIsLeft(tasks);
    assertThat(tasks.counts().ended().get(TaskReason.CANCELLED)).isEqualTo(1);
  }

  @Test
  void who_waits_is_told_where_and_when_and_then_begins() throws Exception {
    var tasks = tasks(1, 2);
    begun(tasks, new RecordingChannel());
    var second = new RecordingChannel();
    var third = new RecordingChannel();
    begun(tasks, second);
    begun(tasks, third);
    assertThat(second.names()).containsExactly("queued");
    assertThat(JSON.readTree(third.latest().data()).path("position").asInt()).isEqualTo(2);
    assertThat(JSON.readTree(third.latest().data()).path("etaMs").isNull()).isTrue();
    passes(Duration.ofSeconds(12));
    work.begun.getFirst().completes();
    assertThat(work.begun).hasSize(2);
    var moved = JSON.readTree(third.latest().data());
    assertThat(moved.path("position").asInt()).isEqualTo(1);
    assertThat(moved.path("etaMs").asLong()).isEqualTo(12_000);
  }

  @Test
  void nobody_waits_for_ever() throws Exception {
    var tasks = tasks(1, 1);
    begun(tasks, new RecordingChannel());
    var waits = new RecordingChannel();
    begun(tasks, waits);
    passes(TaskSettings.USUAL.times().queue());
    assertThat(error(waits).path("reason").asText()).isEqualTo("AT_CAPACITY");
    assertThat(error(waits).path("retryAfterMs").asLong()).isPositive();
    assertThat(tasks.counts().room().queued()).isZero();
  }

  @Test
  void who_waits_and_leaves_is_not_begun() throws Exception {
    var tasks = tasks(1, 1);
    begun(tasks, new RecordingChannel());
    var waits = begun(tasks, new RecordingChannel());
    waits.cancel(TaskCode.CLIENT_GONE);
    work.begun.getFirst().completes();
    assertThat(work.begun).hasSize(1);
    nothingIsLeft(tasks);
  }

  @Test
  void a_fleet_that_is_full_refuses_with_its_own_numbers_and_the_slot_is_free() throws Exception {
    var house = new FullHouse(FullHouse.CapacityScope.FLEET, 30, 30, Duration.ofSeconds(9));
    var tasks =
        tasks(1, 0, (id, tenant) -> Future.succeededFuture(new WiderSlots.NoRoom(house)), work);
    var channel = new RecordingChannel();
    begun(tasks, channel);
    assertThat(error(channel).path("scope").asText()).isEqualTo("fleet");
    assertThat(error(channel).path("limit").asInt()).isEqualTo(30);
    assertThat(error(channel).path("retryAfterMs").asLong()).isEqualTo(9_000);
    assertThat(work.begun).isEmpty();
    nothingIsLeft(tasks);
  }

  @Test
  void room_that_a_fleet_grants_too_late_is_given_back() throws Exception {
    var answer = Promise.<WiderSlots.Answer>promise();
    var back = new AtomicInteger();
    var tasks = tasks(1, 0, (id, tenant) -> answer.future(), work);
    var task = begun(tasks, new RecordingChannel());
    task.cancel(TaskCode.CLIENT_GONE);
    nothingIsLeft(tasks);
    answer.complete(new WiderSlots.Taken(back::incrementAndGet));
    assertThat(back.get()).isEqualTo(1);
    assertThat(work.begun).isEmpty();
  }

  @Test
  void what_is_thrown_ends_the_task_and_is_told_to_nobody() throws Exception {
    var tasks =
        tasks(
            1,
            0,
            WiderSlots.ALONE,
            (id, details, caller, listener) -> {
              throw new IllegalStateException("secret sk-123");
            });
    var channel = new RecordingChannel();
    begun(tasks, channel);
    assertThat(error(channel).path("reason").asText()).isEqualTo("INTERNAL_ERROR");
    assertThat(channel.latest().data()).doesNotContain("secret");
    assertThat(broke).hasSize(1);
    nothingIsLeft(tasks);
  }

  @Test
  void a_server_that_ends_tells_those_who_wait_and_lets_those_who_run_go_on() throws Exception {
    var tasks = tasks(1, 1);
    var runs = new RecordingChannel();
    var waits = new RecordingChannel();
    begun(tasks, runs);
    begun(tasks, waits);
    tasks.drain();
    assertThat(error(waits).path("reason").asText()).isEqualTo("DRAINING");
    assertThat(error(waits).path("retryAfterMs").asLong()).isPositive();
    var away = (Tasks.SentAway) tasks.admit(Tasks.newId(), details(), Caller.ANYBODY);
    assertThat(away.error().code()).isEqualTo(TaskCode.DRAINING);
    work.begun.getFirst().completes();
    assertThat(runs.latest().name()).isEqualTo("complete");
    nothingIsLeft(tasks);
  }

  @Test
  void a_queue_of_tasks_that_all_break_at_once_is_worked_off() throws Exception {
    var down = Future.<WiderSlots.Answer>failedFuture("down");
    var first = Promise.<WiderSlots.Answer>promise();
    var asked = new AtomicInteger();
    var tasks =
        tasks(
            1, 10_000, (id, tenant) -> asked.getAndIncrement() == 0 ? first.future() : down, work);
    var channels = new ArrayList<RecordingChannel>();
    for (int i = 0; i < 2_000; i++) {
      channels.add(new RecordingChannel());
      begun(tasks, channels.getLast());
    }
    first.fail("down");
    nothingIsLeft(tasks);
    assertThat(channels).allMatch(each -> each.finished == 1);
  }

  @Test
  void ten_thousand_random_endings_leak_no_slot() throws Exception {
    int endings = 0;
    for (long seed = 0; endings < 10_000; seed++) {
      endings += new Chaos(seed).run();
    }
  }

  /** A server, its clients and its fleet, all of which do anything at any time. */
  private static final class Chaos {
    private static final int TASKS = 100;
    private final long seed;
    private final RandomGenerator random;
    private final VirtualTime time = new VirtualTime();
    private final AtomicInteger leases = new AtomicInteger();
    private final List<RecordingChannel> channels = new ArrayList<>();
    private final Tasks tasks;
    private int letIn;

    Chaos(long seed) {
      this.seed = seed;
      this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      var room =
          new TaskSettings.Room(
              new TaskLimit(1 + random.nextInt(6)),
              random.nextInt(8),
              random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(20));
      this.tasks =
          new Tasks(
              new Tasks.Means(this::begin, this::take, time, random, (id, broken) -> {}),
              TaskSettings.USUAL.room(room));
    }

    private void later(double most, Runnable what) {
      time.in(random.nextDouble() * most, what);
    }

    private TaskWork.Work begin(
        String id, TaskDetails details, Caller caller, TaskWork.Listener listener) {
      int fate = random.nextInt(8);
      Runnable completes =
          () -> listener.ended(new TaskWork.Completed(new TaskEvent("complete", "{}")));
      Runnable fails =
          () ->
              listener.ended(
                  new TaskWork.Failed(
                      List.of(TaskCode.values()).get(random.nextInt(TaskCode.values().length)),
                      TaskError.Phase.EXECUTION,
                      java.util.Optional.empty()));
      switch (fate) {
        case 0 -> throw new IllegalStateException("it breaks at once");
        case 1 -> completes.run();
        case 2, 3 -> later(3_000, completes);
        case 4 -> later(3_000, fails);
        case 5 -> {
          later(3_000, completes);
          later(3_000, fails);
        }
        default -> {
          // It never settles.
        }
      }
      boolean listens = random.nextBoolean();
      return () -> {
        if (listens) {
          later(20, fails);
        }
      };
    }

    private Future<WiderSlots.Answer> take(String id, String tenant) {
      int fate = random.nextInt(8);
      var house = new FullHouse(FullHouse.CapacityScope.FLEET, 3, 3, Duration.ofSeconds(1));
      return switch (fate) {
        case 0 -> Future.succeededFuture(new WiderSlots.NoRoom(house));
        case 1 -> Future.failedFuture("the store is down");
        case 2 -> throw new IllegalStateException("the store is broken");
        default -> {
          leases.incrementAndGet();
          WiderSlots.Answer taken = new WiderSlots.Taken(leases::decrementAndGet);
          if (random.nextBoolean()) {
            yield Future.succeededFuture(taken);
          }
          var promise = Promise.<WiderSlots.Answer>promise();
          later(10, () -> promise.complete(taken));
          yield promise.future();
        }
      };
    }

    int run() throws Exception {
      for (int i = 0; i < TASKS; i++) {
        var details =
            TaskDetails.of(
                JSON.readTree("{\"patch\":\"%d\"}".formatted(random.nextInt(300))),
                TaskSettings.USUAL);
        later(4_000, () -> client(details));
      }
      if (random.nextInt(4) == 0) {
        later(6_000, tasks::drain);
      }
      if (random.nextInt(4) == 0) {
        later(6_000, () -> tasks.cancelAll(TaskCode.DRAINING));
      }
      if (random.nextBoolean()) {
        var room =
            new TaskSettings.Room(new TaskLimit(1 + random.nextInt(4)), 3, OptionalInt.empty());
        later(4_000, () -> tasks.change(TaskSettings.USUAL.room(room)));
      }
      while (time.step(Double.MAX_VALUE)) {
        int inFlight = tasks.room().inFlight();
        if (inFlight < 0 || inFlight > 6) {
          throw new AssertionError(inFlight + " in flight, seed " + seed);
        }
      }
      var counts = tasks.counts();
      assertThat(counts.room().inFlight()).as("slots of seed %d", seed).isZero();
      assertThat(counts.room().queued()).as("queue of seed %d", seed).isZero();
      assertThat(tasks.open()).as("tasks of seed %d", seed).isZero();
      assertThat(leases.get()).as("leases of seed %d", seed).isZero();
      assertThat(channels).as("seed %d", seed).allMatch(each -> each.finished == 1);
      long shed = counts.shed().values().stream().mapToLong(Long::longValue).sum();
      long ended = counts.ended().values().stream().mapToLong(Long::longValue).sum();
      assertThat(shed + ended + counts.completed()).as("seed %d", seed).isEqualTo(TASKS);
      return letIn;
    }

    private void client(TaskDetails details) {
      if (!(tasks.admit(Tasks.newId(), details, Caller.ANYBODY) instanceof Tasks.LetIn(var task))) {
        return;
      }
      letIn++;
      var channel = new RecordingChannel();
      channel.readsAtOnce = random.nextBoolean();
      if (random.nextInt(4) == 0) {
        later(5_000, () -> task.cancel(TaskCode.CLIENT_GONE));
      }
      if (random.nextInt(10) == 0) {
        later(100, () -> task.cancel(TaskCode.CANCELLED));
      }
      Runnable start =
          () -> {
            channels.add(channel);
            task.start(channel);
          };
      if (random.nextInt(5) == 0) {
        later(1, start);
      } else {
        start.run();
      }
      // A client reads the end at last, or its connection is given up.
      for (double at = 1; at < 20_000; at *= 3) {
        time.in(at, channel::reads);
      }
    }
  }
}
