package dev.flyball.scheduler;

import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.broken;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Account;
import dev.flyball.call.Attempt;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Priority;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Tenant;
import dev.flyball.call.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Thousands of threads at once, against a provider in the same process. What each attempt comes
 * back with is drawn from a seed; how the threads interleave is the machine's affair, and whatever
 * it does the same must hold at the end.
 */
@Timeout(60)
class StressTest {
  private static final int THREADS = 3_000;
  private static final Account RUN = Account.of("run");

  /** The machine's clock, a thousand times as fast: a rest of five seconds takes five millis. */
  private static final class FastTime implements Time {
    private static final long SPEED = 1_000;
    private final long start = System.nanoTime();
    private final ScheduledThreadPoolExecutor ringer =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().factory());

    @Override
    public long nanos() {
      return (System.nanoTime() - start) * SPEED;
    }

    @Override
    public Instant wall() {
      return Instant.EPOCH.plusNanos(nanos());
    }

    @Override
    public Alarm alarm(long at, Runnable ring) {
      var alarm = ringer.schedule(ring, Math.max(0, at - nanos()) / SPEED, TimeUnit.NANOSECONDS);
      return () -> alarm.cancel(false);
    }
  }

  private final FastTime time = new FastTime();
  private final AtomicReferenceArray<@Nullable Object> endings =
      new AtomicReferenceArray<>(THREADS);

  @AfterEach
  void stop() {
    time.ringer.shutdownNow();
  }

  /** A call and how to try it. */
  private record Task(Call call, Work<String> work) {}

  /** Runs that many calls, each on a thread of its own, and waits until all have ended. */
  private void run(Flyball flyball, List<Task> calls, @Nullable Thread meanwhile)
      throws InterruptedException {
    var threads = start(flyball, calls);
    if (meanwhile != null) {
      meanwhile.start();
      meanwhile.join();
    }
    for (var thread : threads) {
      thread.join();
    }
    for (int i = 0; i < calls.size(); i++) {
      assertThat(endings.get(i)).as("call %s", i).isNotNull();
    }
  }

  private List<Thread> start(Flyball flyball, List<Task> calls) {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < calls.size(); i++) {
      int number = i;
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  endings.set(
                      number, flyball.run(calls.get(number).call(), calls.get(number).work()));
                } catch (InterruptedException | IllegalStateException thrown) {
                  endings.set(number, thrown);
                }
              }));
    }
    return threads;
  }

  private int count(Class<?> kind) {
    int count = 0;
    for (int i = 0; i < endings.length(); i++) {
      count += kind.isInstance(endings.get(i)) ? 1 : 0;
    }
    return count;
  }

  /** Answers as the seed says, and looks that no call is tried twice at one time. */
  private static final class Provider {
    private final long seed;
    private final AtomicIntegerArray underWay = new AtomicIntegerArray(THREADS);
    private final AtomicIntegerArray answers = new AtomicIntegerArray(THREADS);
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger twice = new AtomicInteger();

    Provider(long seed) {
      this.seed = seed;
    }

    Reply<String> attempt(int number, Attempt attempt) throws InterruptedException {
      attempts.incrementAndGet();
      most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
      twice.addAndGet(underWay.getAndIncrement(number));
      try {
        var random = new SplittableRandom(seed ^ (number * 1_000_003L + attempt.number()));
        for (int i = random.nextInt(4); i > 0; i--) {
          LockSupport.parkNanos(1);
        }
        if (Thread.interrupted()) {
          throw new InterruptedException("in the middle of an attempt");
        }
        return reply(number, attempt, random);
      } finally {
        underWay.decrementAndGet(number);
        inFlight.decrementAndGet();
      }
    }

    private Reply<String> reply(int number, Attempt attempt, SplittableRandom random) {
      int dice = attempt.number() > 3 || attempts.get() < 100 ? 99 : random.nextInt(100);
      if (dice < 2) {
        return overloaded();
      } else if (dice < 4) {
        return broken(random.nextBoolean());
      } else if (dice < 6) {
        return throttled(Signals.NONE.retryAfter(Duration.ofMillis(1 + random.nextInt(500))));
      } else if (dice < 8) {
        return Reply.rejected("no", "never");
      } else if (dice < 10) {
        throw new IllegalStateException("a bug of the caller");
      }
      if (random.nextBoolean()) {
        attempt.sighted(
            Signals.of(
                Sighting.of(dev.flyball.call.Dimension.REQUESTS, 6_000_000, 5_900_000)
                    .resetIn(Duration.ofSeconds(1))));
      }
      answers.incrementAndGet(number);
      return Stage.answered(10, random.nextInt(100));
    }

    int answersGiven() {
      int sum = 0;
      for (int i = 0; i < THREADS; i++) {
        assertThat(answers.get(i)).as("answers to call %s", i).isLessThanOrEqualTo(1);
        sum += answers.get(i);
      }
      return sum;
    }
  }

  private static List<Task> calls(Provider provider, long seed) {
    return calls(provider, seed, 1);
  }

  /** Calls for that many keys of one model. */
  private static List<Task> calls(Provider provider, long seed, int lanes) {
    var keys = new LaneId[lanes - 1];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = LaneId.of("stage", "key-" + i);
    }
    var random = new SplittableRandom(seed);
    var tenants = List.of(new Tenant("a", 1), new Tenant("b", 2), new Tenant("c", 4));
    var ranks = List.of(Priority.INTERACTIVE, Priority.NORMAL, Priority.BULK);
    var calls = new ArrayList<Task>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      var call =
          Call.to(Stage.LANE, keys)
              .named("call-" + i)
              .estimated(Estimate.of(10, 100).expecting(50))
              .priority(ranks.get(random.nextInt(3)))
              .on(tenants.get(random.nextInt(3)));
      call = random.nextInt(10) == 0 ? call.sharing("prefix-" + i % 5) : call;
      calls.add(new Task(call, attempt -> provider.attempt(number, attempt)));
    }
    return calls;
  }

  @RepeatedTest(3)
  void every_call_ends_once_and_no_answer_is_thrown_away(RepetitionInfo repetition)
      throws InterruptedException {
    long seed = repetition.getCurrentRepetition();
    var provider = new Provider(seed);
    var flyball = Flyball.builder().time(time).mostInFlight(64).build();
    run(flyball, calls(provider, seed), null);
    assertThat(count(Outcome.Done.class)).as("seed %s", seed).isEqualTo(provider.answersGiven());
    assertThat(count(Outcome.class) + count(IllegalStateException.class)).isEqualTo(THREADS);
    assertThat(provider.twice.get()).as("tried twice at one time").isZero();
    assertThat(provider.most.get()).isLessThanOrEqualTo(64);
    assertThat(flyball.snapshot().total().attempts()).isEqualTo(provider.attempts.get());
    Stage.assertClean(flyball);
  }

  @RepeatedTest(3)
  void a_storm_of_interrupts_leaves_nothing_behind(RepetitionInfo repetition)
      throws InterruptedException {
    long seed = 100L + repetition.getCurrentRepetition();
    var random = new SplittableRandom(seed);
    var provider = new Provider(seed);
    var flyball = Flyball.builder().time(time).mostInFlight(4).build();
    var held = new ArrayList<Permit<String>>();
    for (int i = 0; i < 4; i++) {
      if (flyball.<String>admit(call("held")) instanceof Admission.Granted<String>(var permit)) {
        held.add(permit);
      }
    }
    var threads = start(flyball, calls(provider, seed));
    while (flyball.snapshot().lanes().getFirst().waiting() < THREADS) {
      LockSupport.parkNanos(1);
    }
    for (int i = 0; i < THREADS; i++) {
      if (i == THREADS / 10) {
        held.forEach(permit -> permit.settle(answered()));
      }
      threads.get(random.nextInt(THREADS)).interrupt();
    }
    for (var thread : threads) {
      thread.join();
    }
    int interrupted = count(InterruptedException.class);
    assertThat(interrupted).isPositive();
    assertThat(count(Outcome.class) + count(IllegalStateException.class) + interrupted)
        .isEqualTo(THREADS);
    assertThat(count(Outcome.Done.class)).isEqualTo(provider.answersGiven());
    assertThat(provider.twice.get()).isZero();
    Stage.assertClean(flyball);
  }

  @RepeatedTest(2)
  void draining_in_the_middle_loses_nothing(RepetitionInfo repetition) throws InterruptedException {
    long seed = 200L + repetition.getCurrentRepetition();
    var provider = new Provider(seed);
    var flyball = Flyball.builder().time(time).mostInFlight(8).build();
    var drainer =
        Thread.ofVirtual()
            .unstarted(
                () -> {
                  for (var now = flyball.snapshot().total();
                      now.completed() < THREADS / 10 && now.completed() + now.errored() < THREADS;
                      now = flyball.snapshot().total()) {
                    LockSupport.parkNanos(1);
                  }
                  flyball.close();
                });
    run(flyball, calls(provider, seed), drainer);
    assertThat(count(Outcome.Done.class)).isEqualTo(provider.answersGiven());
    assertThat(flyball.snapshot().total().attempts()).isEqualTo(provider.attempts.get());
    Stage.assertClean(flyball);
  }

  @RepeatedTest(6)
  void of_several_lanes_one_takes_each_call_and_nothing_stays_behind(RepetitionInfo repetition)
      throws InterruptedException {
    int run = repetition.getCurrentRepetition();
    long seed = 300L + run;
    var provider = new Provider(seed);
    var settings = Flyball.builder().time(time).mostInFlight(8);
    var flyball = (run % 3 == 0 ? settings.mostInFlightInAll(11) : settings).build();
    flyball.budget(RUN, Budget.tokens(100_000_000));
    var calls = new ArrayList<Task>();
    for (var task : calls(provider, seed, 2 + run % 2)) {
      int number = calls.size();
      calls.add(
          new Task(
              task.call().paidBy(RUN),
              attempt ->
                  number % 500 == 0 && attempt.number() == 1
                      ? throttled(Signals.NONE.retryAfter(Duration.ofMinutes(1)))
                      : task.work().attempt(attempt)));
    }
    var random = new SplittableRandom(seed);
    var threads = start(flyball, calls);
    if (run > 3) {
      for (int i = 0; i < THREADS / 10; i++) {
        threads.get(random.nextInt(THREADS)).interrupt();
        LockSupport.parkNanos(1_000);
      }
    }
    for (var thread : threads) {
      thread.join();
    }
    assertThat(count(Outcome.Done.class)).as("seed %s", seed).isEqualTo(provider.answersGiven());
    assertThat(
            count(Outcome.class)
                + count(IllegalStateException.class)
                + count(InterruptedException.class))
        .isEqualTo(THREADS);
    assertThat(provider.twice.get()).as("tried twice at one time").isZero();
    assertThat(provider.most.get()).isLessThanOrEqualTo(run % 3 == 0 ? 11 : 24);
    // Whoever let the last call go may not have told the other lanes yet.
    while (flyball.snapshot().lanes().stream().anyMatch(lane -> lane.waiting() > 0)) {
      LockSupport.parkNanos(1_000);
    }
    Stage.assertClean(flyball);
  }

  @Test
  void a_budget_is_spent_to_the_last_call_and_never_beyond() throws InterruptedException {
    var flyball = Flyball.builder().time(time).mostInFlight(32).build();
    var lens = RUN.part("lens");
    flyball.budget(RUN, Budget.tokens(123_456)).budget(lens, Budget.tokens(50_050));
    var used = new AtomicLong();
    var most = new AtomicLong();
    var calls = new ArrayList<Task>();
    for (int i = 0; i < THREADS; i++) {
      calls.add(
          new Task(
              Call.to(LaneId.of("stage", "lane-" + i % 4))
                  .estimated(Estimate.of(10, 90))
                  .paidBy(i % 2 == 0 ? lens : RUN),
              attempt -> {
                most.accumulateAndGet(used.addAndGet(100), Math::max);
                LockSupport.parkNanos(1);
                return answered(10, 90);
              }));
    }
    run(flyball, calls, null);
    assertThat(count(Outcome.Done.class)).as("123,456 ÷ 100").isEqualTo(1_234);
    assertThat(count(Outcome.Refused.class)).isEqualTo(THREADS - 1_234);
    assertThat(most.get()).isLessThanOrEqualTo(123_456);
    for (int i = 0; i < THREADS; i++) {
      if (endings.get(i) instanceof Outcome.Refused<?>(var refusal, var attempts)) {
        assertThat(refusal).isInstanceOf(Refusal.BudgetSpent.class);
      }
    }
    for (var budget : flyball.snapshot().budgets()) {
      assertThat(budget.tokensOverspent()).isZero();
    }
    Stage.assertClean(flyball);
  }

  @Test
  void of_two_who_settle_a_permit_one_is_refused() throws InterruptedException {
    var flyball = Flyball.builder().time(time).build();
    for (int i = 0; i < 500; i++) {
      if (!(flyball.<String>admit(call("call")) instanceof Admission.Granted<String>(var permit))) {
        throw new AssertionError("not granted");
      }
      var refused = new AtomicInteger();
      var go = new CountDownLatch(1);
      Runnable settle =
          () -> {
            try {
              go.await();
              permit.settle(answered());
            } catch (IllegalStateException second) {
              refused.incrementAndGet();
            } catch (InterruptedException interrupted) {
              throw new AssertionError(interrupted);
            }
          };
      var one = Thread.startVirtualThread(settle);
      var other = Thread.startVirtualThread(settle);
      go.countDown();
      one.join();
      other.join();
      assertThat(refused.get()).isEqualTo(1);
    }
    assertThat(flyball.snapshot().total().completed()).isEqualTo(500);
    Stage.assertClean(flyball);
  }
}
