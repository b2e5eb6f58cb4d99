package dev.flyball.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.call.Work;
import dev.flyball.scheduler.SchedulerSnapshot.BudgetSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The real scheduler in virtual time, with a provider whose replies the test decides. After each
 * test whatever is still on stage is answered, and then nothing may be in flight, waiting or held.
 */
final class Stage implements AfterEachCallback {
  static final LaneId LANE = LaneId.of("stage", "model");

  private final VirtualTime time = new VirtualTime();
  private final List<Event> events = new ArrayList<>();
  private final List<Role> cast = new ArrayList<>();
  private UnaryOperator<Flyball.Builder> settings = builder -> builder;
  private @Nullable Flyball flyball;

  /** Thrown where a test wants something to throw; it shows up in no log as more than a line. */
  static final class OnPurpose extends RuntimeException {
    private static final long serialVersionUID = 1;

    OnPurpose() {
      super("on purpose, by a test", null, false, false);
    }
  }

  /** What comes back, and after how many seconds. */
  record Answer(double after, Reply<String> reply) {}

  /** Settings, before the first call. */
  Stage with(UnaryOperator<Flyball.Builder> more) {
    assertThat(flyball).as("settings come before the first call").isNull();
    var before = settings;
    settings = builder -> more.apply(before.apply(builder));
    return this;
  }

  /** What is known of every lane before its first reply. */
  Stage knowing(AllowanceTerms... terms) {
    return with(builder -> builder.profiles(lane -> LaneProfile.of(terms)));
  }

  Flyball flyball() {
    if (flyball == null) {
      flyball =
          settings
              .apply(
                  Flyball.builder()
                      .time(time)
                      .random(new SplittableRandom(1))
                      .listener(events::add)
                      .listenersOn(Runnable::run))
              .build();
    }
    return flyball;
  }

  VirtualTime time() {
    return time;
  }

  List<Event> events() {
    return events;
  }

  LaneSnapshot lane() {
    return lane(LANE);
  }

  LaneSnapshot lane(LaneId id) {
    return flyball().snapshot().lanes().stream()
        .filter(lane -> lane.lane().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /** What has been learned about {@link #LANE}. */
  LearnedLimits.OfLane learned() {
    return Optional.ofNullable(flyball().memory().lanes().get(LANE)).orElseThrow();
  }

  BudgetSnapshot budget() {
    return flyball().snapshot().budgets().getFirst();
  }

  static Call call(String name) {
    return call(LANE, name);
  }

  static Call call(LaneId lane, String name) {
    return Call.to(lane).named(name);
  }

  /** A call of so many input tokens, and no output to speak of. */
  static Call call(String name, long input) {
    return call(name).estimated(Estimate.of(input, 0));
  }

  /** Work that is answered at once. */
  static final Work<String> OK = attempt -> answered();

  static Reply<String> answered() {
    return Reply.answered("ok", Usage.NONE);
  }

  static Reply<String> answered(Signals signals) {
    return Reply.answered("ok", Usage.NONE, signals);
  }

  static Reply<String> answered(long input, long output) {
    return Reply.answered("ok", Usage.of(input, output));
  }

  static Reply<String> throttled(Signals signals) {
    return Reply.throttled(signals);
  }

  static Reply<String> overloaded() {
    return new Reply.Overloaded<>("overloaded", Signals.NONE);
  }

  static Reply<String> broken(boolean sent) {
    return new Reply.Broken<>("connection reset", sent);
  }

  /** A call takes the place of one that was elsewhere. */
  Role move(Call call, Role earlier) {
    var role = new Role(call, null);
    cast.add(role);
    role.waiter = flyball().enter(call, told -> role.look(), earlier.waiter());
    role.look();
    return role;
  }

  /** A call whose attempts the test answers by hand. */
  Role enter(Call call) {
    return enter(call, null);
  }

  /** A call whose attempts are answered as the script says, by the attempt's number. */
  Role enter(Call call, @Nullable Function<Integer, Answer> script) {
    var role = new Role(call, script);
    cast.add(role);
    role.takePlace();
    return role;
  }

  /** So many calls at once, all answered alike. */
  List<Role> enter(int count, Call call, Function<Integer, Answer> script) {
    var roles = new ArrayList<Role>();
    for (int i = 0; i < count; i++) {
      roles.add(enter(call.named(call.name() + "-" + i), script));
    }
    return roles;
  }

  List<Role> enter(int count, Call call) {
    var roles = new ArrayList<Role>();
    for (int i = 0; i < count; i++) {
      roles.add(enter(call.named(call.name() + "-" + i)));
    }
    return roles;
  }

  /** Lets everything happen up to that second, and then it is that second. */
  void until(double second) {
    time.alarm(Math.round(second * 1e9), () -> {});
    while (time.step(second + 1e-10)) {}
  }

  void pass(double seconds) {
    until(time.seconds() + seconds);
  }

  /** Lets everything happen that is still to come. */
  void finish() {
    while (time.step(1e8)) {}
  }

  static int inFlight(List<Role> roles) {
    return (int) roles.stream().filter(Role::inFlight).count();
  }

  static int ended(List<Role> roles) {
    return (int) roles.stream().filter(Role::ended).count();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (flyball == null || context.getExecutionException().isPresent()) {
      return;
    }
    for (int rounds = 0; rounds < 100_000 && cast.stream().anyMatch(r -> !r.ended()); rounds++) {
      cast.stream()
          .filter(role -> role.script == null && role.inFlight())
          .toList()
          .forEach(role -> role.reply(answered()));
      time.step(1e8);
    }
    assertThat(cast).as("lost").allMatch(Role::ended);
    assertClean(flyball);
    assertThat(flyball.snapshot().total().total()).isEqualTo(cast.size());
  }

  /** Nothing in flight, nothing waiting, nothing held, and every call ended once. */
  static void assertClean(Flyball flyball) {
    var snapshot = flyball.snapshot();
    for (var lane : snapshot.lanes()) {
      assertThat(lane.inFlight()).as("in flight in %s", lane.lane()).isZero();
      assertThat(lane.waiting()).as("waiting in %s", lane.lane()).isZero();
      assertThat(lane.gauges()).as("held in %s", lane.lane()).allMatch(g -> g.held() == 0);
    }
    for (var budget : snapshot.budgets()) {
      assertThat(budget.holds()).as("holds on %s", budget.account()).isZero();
      assertThat(budget.tokensHeld()).as("tokens held on %s", budget.account()).isZero();
      assertThat(budget.moneyHeld().micros()).as("money held on %s", budget.account()).isZero();
    }
    var total = snapshot.total();
    assertThat(total.completed() + total.errored()).as("ended: %s", total).isEqualTo(total.total());
  }

  /** One call on stage. */
  final class Role {
    private final Call call;
    private final @Nullable Function<Integer, Answer> script;
    private final List<Double> admitted = new ArrayList<>();
    private @Nullable Waiter<String> waiter;
    private @Nullable Permit<String> permit;
    private @Nullable Outcome<String> outcome;

    private Role(Call call, @Nullable Function<Integer, Answer> script) {
      this.call = call;
      this.script = script;
    }

    private void takePlace() {
      waiter = flyball().enter(call, this::look);
      look();
    }

    private void look() {
      if (waiter == null || permit != null || outcome != null) {
        return;
      }
      switch (waiter.admission()) {
        case Admission.Wait<String> wait -> {}
        case Admission.Refused<String>(var refused) -> outcome = refused;
        case Admission.Granted<String>(var granted) -> {
          permit = granted;
          admitted.add(time.seconds());
          if (script != null) {
            var answer = script.apply(granted.number());
            time.in(answer.after(), () -> reply(answer.reply()));
          }
        }
      }
    }

    Call call() {
      return call;
    }

    Waiter<String> waiter() {
      return present(waiter, "has a place");
    }

    boolean inFlight() {
      return permit != null;
    }

    boolean ended() {
      return outcome != null;
    }

    boolean waits() {
      return !inFlight() && !ended();
    }

    /** The seconds at which its attempts went. */
    List<Double> admitted() {
      return admitted;
    }

    double firstAdmitted() {
      assertThat(admitted).as("%s was never sent", call).isNotEmpty();
      return admitted.getFirst();
    }

    Permit<String> permit() {
      return present(permit, "is in flight");
    }

    Outcome<String> outcome() {
      return present(outcome, "has ended");
    }

    private <V> V present(@Nullable V value, String what) {
      if (value == null) {
        throw new AssertionError(call + " was expected to be one that " + what);
      }
      return value;
    }

    Refusal refusal() {
      assertThat(outcome()).isInstanceOf(Outcome.Refused.class);
      return ((Outcome.Refused<String>) outcome()).refusal();
    }

    String gaveUp() {
      assertThat(outcome()).isInstanceOf(Outcome.GaveUp.class);
      return ((Outcome.GaveUp<String>) outcome()).why();
    }

    boolean done() {
      return outcome instanceof Outcome.Done;
    }

    Admission.Wait<String> waiting() {
      assertThat(waiter().admission()).isInstanceOf(Admission.Wait.class);
      return (Admission.Wait<String>) waiter().admission();
    }

    /** The attempt in flight comes back. */
    void reply(Reply<String> reply) {
      var settled = permit();
      permit = null;
      switch (settled.settle(reply)) {
        case NextStep.Again<String>() -> look();
        case NextStep.Ended<String>(var ending) -> outcome = ending;
      }
    }

    /** The attempt in flight comes back, and is the last. */
    NextStep<String> replyForGood(Reply<String> reply) {
      var settled = permit();
      permit = null;
      var next = settled.settleForGood(reply);
      if (next instanceof NextStep.Ended<String>(var ending)) {
        outcome = ending;
      }
      return next;
    }

    /** Nobody wants the answer of the attempt in flight any more. */
    void leave(Usage soFar) {
      var left = permit();
      permit = null;
      left.abandon(soFar);
      outcome = new Outcome.GaveUp<>("left", Optional.empty(), Usage.NONE, 1);
    }

    /** The attempt in flight was never sent: its caller drops the permit. */
    void drop() {
      var dropped = permit();
      permit = null;
      dropped.close();
      outcome = new Outcome.GaveUp<>("dropped", Optional.empty(), Usage.NONE, 1);
    }

    void withdraw() {
      waiter().withdraw();
      permit = null;
      if (outcome == null) {
        outcome = new Outcome.GaveUp<>("withdrawn", Optional.empty(), Usage.NONE, 0);
      }
    }

    @Override
    public String toString() {
      return call + (ended() ? " " + outcome : inFlight() ? " in flight" : " waits");
    }
  }
}
