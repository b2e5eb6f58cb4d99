package dev.flyball.forecast;

import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.NextStep;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.VirtualTime;
import dev.flyball.scheduler.Waiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One run of a plan through the real scheduler, against stand-ins, in virtual time. */
final class Rehearsal {
  private static final double FOR_EVER = 400 * 86_400.0;

  /** A call of a lane that waits, and what for. */
  record Held(LaneId lane, Constraint what) {}

  /**
   * How it went.
   *
   * @param seconds until the last call ended
   * @param laneSeconds the same of each lane
   * @param outputs how long each answer was
   * @param held for how many seconds the next call of a lane waited, by what for
   */
  record Result(
      double seconds,
      List<Long> outputs,
      Map<LaneId, Double> laneSeconds,
      Map<String, Usage> usage,
      Map<Held, Double> held,
      long throttled,
      long unanswered) {}

  private final Circumstances circumstances;
  private final Plan plan;
  private final double doubt;
  private final double look;
  private final VirtualTime time = new VirtualTime();
  private final SplittableRandom random;
  private final Flyball flyball;
  private final Map<LaneId, StandIn> standIns = new HashMap<>();
  private final Queue<Runnable> behind = new ArrayDeque<>();
  private final Map<LaneId, Double> laneSeconds = new LinkedHashMap<>();
  private final Map<String, Usage> usage = new LinkedHashMap<>();
  private final Map<Held, Double> held = new LinkedHashMap<>();
  private int inFlight;
  private int open;
  private long unanswered;

  /**
   * Of one seed.
   *
   * @param doubt how many sigmas answers are longer than thought
   * @param look every how many seconds it is noted what lanes wait for; 0 for never
   */
  Rehearsal(Plan plan, Circumstances circumstances, long seed, double doubt, double look) {
    this.plan = plan;
    this.circumstances = circumstances;
    this.doubt = doubt;
    this.look = look;
    this.random = new SplittableRandom(seed);
    this.flyball =
        Flyball.builder()
            .time(time)
            .random(random.split())
            .mostInFlight(circumstances.mostInFlight())
            .memory(circumstances.memory())
            .profiles(circumstances.profiles())
            .build();
    circumstances.lanes().forEach((id, manners) -> standIns.put(id, new StandIn(manners, time)));
  }

  Result run() {
    open = plan.calls().size();
    var outputs = new ArrayList<Long>();
    for (var call : plan.calls()) {
      var part = new Part(call);
      outputs.add(part.output);
      part.enter();
    }
    if (look > 0) {
      time.in(look, this::look);
    }
    while (open > 0 && time.step(FOR_EVER)) {}
    double end = laneSeconds.values().stream().mapToDouble(each -> each).max().orElse(0);
    long throttled = flyball.snapshot().total().throttled();
    return new Result(end, outputs, laneSeconds, usage, held, throttled, unanswered + open);
  }

  private void look() {
    for (var lane : flyball.snapshot().lanes()) {
      if (lane.waiting() > 0 && lane.waitingFor().isPresent()) {
        held.merge(new Held(lane.lane(), lane.waitingFor().get()), look, Double::sum);
      }
    }
    if (open > 0) {
      time.in(look, this::look);
    }
  }

  /** One call's part in it. */
  private final class Part {
    private final PlannedCall call;
    private final Habits habits;
    private final long output;
    private @Nullable Waiter<Boolean> waiter;
    private int attempt;

    Part(PlannedCall call) {
      this.call = call;
      this.habits = circumstances.of(call.model());
      this.output = call.length(habits.lengths(), random.nextGaussian(), doubt);
    }

    void enter() {
      var asked =
          Call.to(call.lane()).estimated(Estimate.of(call.input(), call.maxOutput().orElse(0)));
      waiter =
          flyball.enter(
              call.prefix().isPresent() ? asked.sharing(call.prefix().get().name()) : asked,
              () -> time.in(0, this::go));
      go();
    }

    private void go() {
      if (waiter == null) {
        return;
      }
      switch (waiter.admission()) {
        case Admission.Wait<Boolean> notYet -> {}
        case Admission.Refused<Boolean> refused -> ended(false);
        case Admission.Granted<Boolean>(var permit) -> {
          // Told twice of one admission, it goes once.
          if (permit.number() > attempt) {
            attempt = permit.number();
            start(permit);
          }
        }
      }
    }

    private void start(Permit<Boolean> permit) {
      if (inFlight >= circumstances.mostInFlight()) {
        behind.add(() -> send(permit));
      } else {
        send(permit);
      }
    }

    private void send(Permit<Boolean> permit) {
      inFlight++;
      double latency = habits.latency().seconds(output, random.nextGaussian());
      var provider = standIns.get(call.lane());
      if (provider != null) {
        provider.attempt(call, output, latency, reply -> came(permit, reply));
      }
    }

    private void came(Permit<Boolean> permit, Reply<Boolean> reply) {
      inFlight--;
      if (!behind.isEmpty()) {
        behind.remove().run();
      }
      if (reply instanceof Reply.Answered<Boolean> answer) {
        usage.merge(call.model(), answer.usage(), Usage::plus);
      }
      switch (permit.settle(reply)) {
        case NextStep.Again<Boolean> again -> {}
        case NextStep.Ended<Boolean>(var outcome) -> ended(outcome instanceof Outcome.Done);
      }
    }

    private void ended(boolean answered) {
      waiter = null;
      open--;
      unanswered += answered ? 0 : 1;
      laneSeconds.put(call.lane(), time.seconds());
    }
  }
}
