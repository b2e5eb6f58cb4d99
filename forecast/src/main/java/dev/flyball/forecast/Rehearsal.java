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
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One run of a plan through the real scheduler, against virtual providers, in virtual time. */
final class Rehearsal {
  private static final double FOR_EVER = 400 * 86_400.0;

  /** A call of a lane that waits, and what for. */
  record Held(LaneId lane, Constraint what) {}

  /**
   * The course that it took.
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

  private final ForecastConditions conditions;
  private final CallPlan plan;
  private final double doubt;
  private final double interval;
  private final VirtualTime time = new VirtualTime();
  private final SplittableRandom random;
  private final Flyball flyball;
  private final Map<LaneId, VirtualProvider> providers = new HashMap<>();
  private final Map<LaneId, Double> laneSeconds = new LinkedHashMap<>();
  private final Map<String, Usage> usage = new LinkedHashMap<>();
  private final Map<Held, Double> held = new LinkedHashMap<>();
  private int open;
  private long unanswered;

  /**
   * Of one seed.
   *
   * @param doubt how many sigmas answers are longer, and limits that were only felt less, than
   *     thought
   * @param interval every how many seconds it is noted what lanes wait for; 0 for never
   */
  Rehearsal(
      CallPlan plan, ForecastConditions conditions, long seed, double doubt, double interval) {
    this.plan = plan;
    this.conditions = conditions;
    this.doubt = doubt;
    this.interval = interval;
    this.random = new SplittableRandom(seed);
    this.flyball =
        Flyball.builder()
            .time(time)
            .random(random.split())
            .maxWait(ChronoUnit.FOREVER.getDuration())
            .mostInFlightInAll(conditions.mostInFlight())
            .memory(conditions.learned())
            .profiles(conditions.profiles())
            .build();
    conditions
        .lanes()
        .forEach(
            (id, limits) -> providers.put(id, new VirtualProvider(limits.doubted(doubt), time)));
  }

  Result run() {
    open = plan.calls().size();
    var outputs = new ArrayList<Long>();
    for (var call : plan.calls()) {
      var rehearsed = new RehearsedCall(call);
      outputs.add(rehearsed.output);
      rehearsed.enter();
    }
    if (interval > 0) {
      time.in(interval, this::sample);
    }
    while (open > 0 && time.step(FOR_EVER)) {}
    double end = laneSeconds.values().stream().mapToDouble(each -> each).max().orElse(0);
    long throttled = flyball.snapshot().total().throttled();
    return new Result(end, outputs, laneSeconds, usage, held, throttled, unanswered + open);
  }

  private void sample() {
    for (var lane : flyball.snapshot().lanes()) {
      if (lane.waiting() > 0 && lane.waitingFor().isPresent()) {
        held.merge(new Held(lane.lane(), lane.waitingFor().get()), interval, Double::sum);
      }
    }
    if (open > 0) {
      time.in(interval, this::sample);
    }
  }

  /** One call on its way through it. */
  private final class RehearsedCall {
    private final PlannedCall call;
    private final ModelBehaviour behaviour;
    private final long output;
    private @Nullable Waiter<Boolean> waiter;
    private int attempt;

    RehearsedCall(PlannedCall call) {
      this.call = call;
      this.behaviour = conditions.of(call.model());
      this.output = call.length(behaviour.lengths(), random.nextGaussian(), doubt);
    }

    void enter() {
      var scheduled =
          Call.to(call.lane()).estimated(Estimate.of(call.input(), call.maxOutput().orElse(0)));
      waiter =
          flyball.enter(
              call.prefix().isPresent() ? scheduled.sharing(call.prefix().get().name()) : scheduled,
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
            send(permit);
          }
        }
      }
    }

    private void send(Permit<Boolean> permit) {
      double latency = behaviour.latency().seconds(output, random.nextGaussian());
      var provider = providers.get(call.lane());
      if (provider != null) {
        provider.attempt(call, output, latency, reply -> came(permit, reply));
      }
    }

    private void came(Permit<Boolean> permit, Reply<Boolean> reply) {
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
