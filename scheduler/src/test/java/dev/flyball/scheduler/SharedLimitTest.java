package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Sighting;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A limit that several schedulers keep together. */
class SharedLimitTest {
  private static final double PER_SECOND = 10;
  private static final double BURST = 10;

  /** How late a departure may be used, in seconds. */
  private static final double GRACE = 0.1;

  @RegisterExtension final Stage stage = new Stage();

  /** A bucket that counts whom it turned away. */
  private static final class Provider {
    private final VirtualTime time;
    private final boolean headers;
    private double level = BURST;
    private double at;
    private int turnedAway;

    Provider(VirtualTime time, boolean headers) {
      this.time = time;
      this.headers = headers;
    }

    Reply<String> arrives() {
      level = Math.min(BURST, level + PER_SECOND * (time.seconds() - at));
      at = time.seconds();
      if (level < 1 - 1e-9) {
        turnedAway++;
        return throttled(Signals.NONE);
      }
      level--;
      var seen =
          Sighting.of(REQUESTS.per(Duration.ofSeconds(1)), (long) PER_SECOND, (long) level)
              .at(Sighting.Snapshot.ADMISSION);
      return headers ? answered(Signals.of(seen)) : answered();
    }
  }

  /** The book: when its bucket would be full again. Whoever asks is answered a little later. */
  private static final class Book implements SharedLimit {
    private static final double ROUND_TRIP = 0.02;
    private final VirtualTime time;
    private double full = Double.NEGATIVE_INFINITY;
    private int departed;
    private int settled;

    Book(VirtualTime time) {
      this.time = time;
    }

    /** Books the next departure. */
    double book() {
      double spare = (BURST - PER_SECOND * GRACE - 1) / PER_SECOND;
      double leaves = Math.max(time.seconds(), full - spare);
      full = Math.max(full, leaves) + 1 / PER_SECOND;
      return leaves;
    }

    @Override
    public OfLane open(LaneId id, SharedLane lane) {
      return new Member(lane::changed);
    }

    private final class Member implements OfLane {
      private static final int AHEAD = 4;
      private final Runnable changed;
      private final ArrayDeque<Double> departures = new ArrayDeque<>();
      private boolean asked;

      Member(Runnable changed) {
        this.changed = changed;
      }

      @Override
      public List<OptionalLong> moments(List<SharedCall> next, int waiting, long now) {
        assertThat(next.size()).isBetween(1, 32);
        departures.removeIf(at -> at + GRACE < time.seconds());
        int more = Math.min(next.size(), AHEAD) - departures.size();
        if (more > 0 && !asked) {
          asked = true;
          time.in(ROUND_TRIP, () -> answer(more));
        }
        Iterator<Double> known = departures.iterator();
        return next.stream()
            .map(call -> known.hasNext() ? moment(known.next()) : OptionalLong.empty())
            .toList();
      }

      private static OptionalLong moment(double seconds) {
        return OptionalLong.of((long) Math.ceil(seconds * 1e9));
      }

      private void answer(int count) {
        asked = false;
        for (int i = 0; i < count; i++) {
          departures.add(book());
        }
        changed.run();
        changed.run();
      }

      @Override
      public void departed(SharedCall call, long now) {
        assertThat(departures.removeFirst()).isLessThanOrEqualTo(now / 1e9 + 1e-9);
        departed++;
      }

      @Override
      public void settled(SharedCall call, Reply<?> reply, long now) {
        settled += reply instanceof Reply.Answered ? 1 : 0;
      }

      @Override
      public void givenBack(SharedCall call, long now) {}

      @Override
      public void sighted(SharedCall call, Signals signals, long now) {}
    }
  }

  /** One scheduler of several, on the clock of all. */
  private static final class Replica {
    private final VirtualTime time;
    private final Provider provider;
    private final Flyball flyball;
    private int done;

    Replica(VirtualTime time, Provider provider, SharedLimit limit, long seed) {
      this.time = time;
      this.provider = provider;
      this.flyball =
          Flyball.builder()
              .time(time)
              .random(new SplittableRandom(seed))
              .sharedLimit(limit)
              .build();
    }

    void enter(String name) {
      var place = new ArrayList<Waiter<String>>();
      place.add(flyball.enter(call(name), () -> place.forEach(this::look)));
      look(place.getFirst());
    }

    private void look(Waiter<String> waiter) {
      if (waiter.admission() instanceof Admission.Granted<String>(var permit)) {
        var reply = provider.arrives();
        time.in(0.2, () -> done += permit.settle(reply) instanceof NextStep.Ended<String> ? 1 : 0);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, false", "3, false", "2, true", "3, true"})
  void several_schedulers_keep_one_limit_as_one_would(int count, boolean headers) {
    var time = new VirtualTime();
    var provider = new Provider(time, headers);
    var book = new Book(time);
    var replicas = new ArrayList<Replica>();
    for (int i = 0; i < count; i++) {
      replicas.add(new Replica(time, provider, book, i));
    }
    int calls = 300;
    for (int i = 0; i < calls; i++) {
      // Uneven on purpose: the first has as much to do as all others together.
      replicas.get(i % 2 == 0 ? 0 : i % count).enter("call-" + i);
    }
    while (replicas.stream().mapToInt(replica -> replica.done).sum() < calls && time.step(1e4)) {}
    double least = (calls - BURST) / PER_SECOND + 0.2;
    assertThat(provider.turnedAway).as("429s").isZero();
    assertThat(time.seconds() / least).as("× least time").isBetween(1.0, 1.02);
    assertThat(book.departed).isEqualTo(calls);
    assertThat(book.settled).isEqualTo(calls);
    replicas.forEach(replica -> Stage.assertClean(replica.flyball));
  }

  /** Writes down what it is told, and lets go what the test says. */
  private static final class Notes implements SharedLimit, SharedLimit.OfLane {
    private final List<String> told = new ArrayList<>();
    private final List<SharedCall> shown = new ArrayList<>();
    private OptionalLong answer = OptionalLong.empty();
    private Runnable changed = () -> {};
    private Constraint reason = Constraint.SHARED;
    private boolean broken;
    private boolean holds = true;
    private int waiting;

    @Override
    public boolean holds() {
      return holds;
    }

    @Override
    public Constraint waitsFor() {
      return reason;
    }

    @Override
    public OfLane open(LaneId id, SharedLane lane) {
      changed = lane::changed;
      changed.run();
      return this;
    }

    @Override
    public List<OptionalLong> moments(List<SharedCall> next, int inOrder, long now) {
      if (broken) {
        throw new Stage.OnPurpose();
      }
      waiting = inOrder;
      shown.clear();
      shown.addAll(next);
      return next.stream().map(call -> answer).toList();
    }

    private void note(String what, SharedCall call) {
      told.add(what + " " + call.number() + "." + call.attempt());
    }

    @Override
    public void departed(SharedCall call, long now) {
      note("departed", call);
    }

    @Override
    public void settled(SharedCall call, Reply<?> reply, long now) {
      note("settled", call);
      told.add(reply.kind().toString());
    }

    @Override
    public void givenBack(SharedCall call, long now) {
      note("given back", call);
    }

    @Override
    public void sighted(SharedCall call, Signals signals, long now) {
      note("sighted", call);
    }
  }

  private final Notes notes = new Notes();

  private void shared() {
    stage.with(builder -> builder.sharedLimit(notes));
  }

  @Test
  void nothing_goes_before_an_answer_and_then_at_its_moment() {
    shared();
    var role = stage.enter(call("call"));
    stage.pass(5);
    assertThat(role.waiting().constraint()).isEqualTo(Constraint.SHARED);
    assertThat(role.waiting().left()).isEmpty();
    notes.answer = OptionalLong.of(8_000_000_000L);
    notes.changed.run();
    stage.pass(1);
    assertThat(role.waiting().left()).contains(Duration.ofSeconds(2));
    stage.until(10);
    assertThat(role.firstAdmitted()).isEqualTo(8.0);
  }

  @ParameterizedTest
  @CsvSource({"a free connection", "the retry budget", "the limit shared with others"})
  void whatever_reason_others_give_all_go_at_their_moments(String reason) {
    shared();
    notes.reason = new Constraint(reason);
    var roles = stage.enter(3, call("call"));
    notes.answer = OptionalLong.of(8_000_000_000L);
    notes.changed.run();
    stage.until(10);
    assertThat(roles).allSatisfy(role -> assertThat(role.firstAdmitted()).isEqualTo(8.0));
  }

  @Test
  void at_most_thirty_two_calls_are_shown_in_order() {
    shared();
    var roles = stage.enter(40, call("call").estimated(Estimate.of(100, 50)));
    assertThat(notes.shown).hasSize(32);
    assertThat(notes.shown.getFirst().number()).isZero();
    assertThat(notes.shown.getLast().number()).isEqualTo(31);
    assertThat(notes.waiting).isEqualTo(40);
    assertThat(notes.shown.getFirst().call().estimate()).isEqualTo(Estimate.of(100, 50));
    notes.answer = OptionalLong.of(0);
    notes.changed.run();
    stage.pass(0);
    assertThat(Stage.inFlight(roles)).as("the lane's slots hold as ever").isEqualTo(4);
  }

  @Test
  void it_is_told_of_each_departure_reply_and_return() {
    shared();
    notes.answer = OptionalLong.of(0);
    var answered = stage.enter(call("answered").estimated(Estimate.of(100, 50)));
    var dropped = stage.enter(call("dropped"));
    var hurt = stage.enter(call("hurt"));
    answered.permit().sighted(Signals.of(Sighting.of(REQUESTS, 600, 500)));
    answered.reply(Reply.answered("ok", Usage.of(90, 7)));
    dropped.drop();
    hurt.reply(throttled(Signals.NONE.retryAfter(Duration.ofSeconds(1))));
    assertThat(notes.told)
        .containsExactly(
            "departed 0.1",
            "departed 1.1",
            "departed 2.1",
            "sighted 0.1",
            "settled 0.1",
            "Answered",
            "given back 1.1",
            "settled 2.1",
            "Throttled");
    stage.pass(2);
    assertThat(notes.told).endsWith("departed 2.2");
  }

  @Test
  void while_it_does_not_hold_the_lane_goes_by_its_own_limits() {
    shared();
    notes.holds = false;
    var alone = stage.enter(10, call("call"));
    assertThat(Stage.inFlight(alone)).isEqualTo(4);
    assertThat(notes.told).hasSize(4).startsWith("departed 0.1");
    notes.holds = true;
    notes.changed.run();
    stage.pass(3);
    assertThat(Stage.inFlight(alone)).isEqualTo(4);
    alone.getFirst().reply(Reply.answered("ok", Usage.NONE));
    assertThat(alone.get(4).waiting().constraint()).isEqualTo(Constraint.SHARED);
    assertThat(Stage.inFlight(alone)).isEqualTo(3);
    assertThat(notes.shown).hasSize(6);
    notes.answer = OptionalLong.of(0);
    notes.changed.run();
  }

  @Test
  void an_attempt_that_went_elsewhere_is_charged_and_settled_as_any_other() {
    try (var flyball = Flyball.builder().time(new VirtualTime()).build()) {
      var permits = new ArrayList<Permit<String>>();
      for (int i = 0; i < 6; i++) {
        permits.add(flyball.adopt(call("elsewhere")));
      }
      Waiter<String> here = flyball.enter(call("here"), () -> {});
      assertThat(((Admission.Wait<String>) here.admission()).constraint())
          .isEqualTo(Constraint.SLOT);
      permits.removeLast().lost();
      permits.removeLast().lost();
      permits.forEach(permit -> permit.settle(Reply.answered("ok", Usage.NONE)));
      assertThat(here.admission()).isInstanceOf(Admission.Granted.class);
      here.withdraw();
    }
  }

  @Test
  void one_that_throws_lets_nothing_go_and_is_asked_again() {
    shared();
    notes.broken = true;
    var role = stage.enter(call("call"));
    stage.pass(3);
    assertThat(role.waits()).isTrue();
    notes.broken = false;
    notes.answer = OptionalLong.of(0);
    stage.pass(1);
    assertThat(role.inFlight()).isTrue();
  }
}
