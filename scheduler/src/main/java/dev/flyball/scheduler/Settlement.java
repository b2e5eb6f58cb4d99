package dev.flyball.scheduler;

import dev.flyball.call.BreakerState;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.limit.ReplyLessons.Lesson;
import java.time.Duration;
import java.util.Optional;
import jdk.jfr.Category;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * The rules for what follows a reply: the end of the call, another attempt at it, or a lane that is
 * shut. Under the lane's lock.
 */
final class Settlement {
  private static final Duration UNREACHABLE_AFTER = Duration.ofMinutes(1);
  private static final int UNREACHABLE_ATTEMPTS = 5;
  private static final Duration SHUT_FOR = Duration.ofMinutes(1);

  /** One attempt as the JDK's flight recorder shows it; costs next to nothing while it is off. */
  @Name("dev.flyball.Attempt")
  @Label("Attempt")
  @Category("Flyball")
  @StackTrace(false)
  static final class AttemptEvent extends jdk.jfr.Event {
    @Label("Lane")
    String lane = "";

    @Label("Call")
    String call = "";

    @Label("Attempt")
    int attempt;

    @Label("Reply")
    String reply = "";

    @Label("Tokens charged")
    long cost;

    static void record(LaneId lane, Permit<?> permit, Reply<?> reply) {
      var event = new AttemptEvent();
      if (event.isEnabled()) {
        event.lane = lane.toString();
        event.call = permit.waiter.call.name();
        event.attempt = permit.number;
        event.reply = reply.kind().toString();
        event.cost = permit.cost;
        event.commit();
      }
    }
  }

  private final LaneId lane;
  private final Lanes.Settings settings;
  private final LaneLimits limits;
  private final Metrics.Counters counters;
  private final EventFeed feed;

  /** Whether the provider has ever answered, well or badly. */
  private boolean reached;

  /** How many attempts have failed before anything was reached. */
  private int unreached;

  /** The moment at which the first of them went. */
  private long unreachedSince = Long.MAX_VALUE;

  /** How many calls in a row were turned away for traffic that grew too fast. */
  private int accelerations;

  private boolean closing;
  private @Nullable Refusal shut;
  private long shutUntil;

  /** Why everybody is to be refused, until the lane has done so. */
  private @Nullable Refusal shutNow;

  Settlement(
      LaneId lane,
      Lanes.Settings settings,
      LaneLimits limits,
      Metrics.Counters counters,
      EventFeed feed) {
    this.lane = lane;
    this.settings = settings;
    this.limits = limits;
    this.counters = counters;
    this.feed = feed;
  }

  /** Response headers are there. */
  void reached() {
    reached = true;
  }

  /** Nothing starts any more. */
  void close() {
    closing = true;
  }

  /** Why no call may come in, if so. */
  Optional<Refusal> turnsAway(long now) {
    if (closing) {
      return Optional.of(new Refusal.ShuttingDown());
    }
    shut = now < shutUntil ? shut : null;
    return Optional.ofNullable(shut);
  }

  /** Why everybody who waits is to be refused, once after each reply that said so. */
  @Nullable Refusal takeShut() {
    var why = shutNow;
    shutNow = null;
    return why;
  }

  private void shut(Refusal why, Duration howLong, long now) {
    shutNow = why;
    if (shutUntil != Long.MAX_VALUE) {
      shut = why;
      shutUntil = now + howLong.toNanos();
    }
  }

  /** Whoever uses the scheduler wants nothing more to go here. */
  void shutForGood(Refusal why) {
    shut = why;
    shutUntil = Long.MAX_VALUE;
  }

  /** Decides what follows; if that is another attempt, the waiter knows what it waits for. */
  <T> NextStep<T> follows(Permit<T> permit, Reply<T> reply, Lesson lesson, long now) {
    var waiter = permit.waiter;
    reached |= !(reply instanceof Reply.Broken);
    return switch (reply) {
      case Reply.Answered<T> answered -> {
        counters.completed++;
        accelerations = 0;
        var done = new Outcome.Done<>(answered.value(), waiter.usage, waiter.attempts);
        yield new NextStep.Ended<>(done);
      }
      case Reply.Rejected<T>(var message, var advice, var whole, var until, var used) -> {
        if (whole) {
          shut(new Refusal.LaneShut(message, advice), until.orElse(SHUT_FOR), now);
          if (mayGoElsewhere(waiter)) {
            yield again(permit, reply, 0, 0, false, now);
          }
        }
        yield gaveUp(permit, reply, Refusal.LaneShut.words(message, advice));
      }
      case Reply.Throttled<T> throttled ->
          throttled(permit, reply, lesson, throttled.message(), now);
      case Reply.Overloaded<T> over ->
          lesson.limited()
              ? throttled(permit, reply, lesson, over.message(), now)
              : failed(permit, reply, lesson, over.message(), now);
      case Reply.Broken<T> broken -> failed(permit, reply, lesson, broken.message(), now);
      case Reply.CutShort<T> cut -> failed(permit, reply, lesson, cut.message(), now);
    };
  }

  private <T> NextStep<T> throttled(
      Permit<T> permit, Reply<T> reply, Lesson lesson, String message, long now) {
    var signals = reply.signals();
    var wait = signals.retryAfter();
    var event =
        new Event.Throttled(
            lane,
            permit.waiter.number,
            cause(lesson),
            lesson.exceeded(),
            wait.orElse(Duration.ZERO));
    counters.throttledBy(event.why());
    if (signals.acceleration() && wait.isEmpty() && !limits.paused(now)) {
      limits.pause(now + settings.retries().pause(accelerations++, settings.random()));
    }
    if (feed.heard()) {
      feed.add(event);
    }
    return settings.retries().maxRetries() == 0
        ? gaveUp(
            permit,
            reply,
            Refusal.LaneShut.words(message, "with maxRetries above 0 it waits for the limit"))
        : again(permit, reply, 0, 0, false, now);
  }

  private static Event.Cause cause(Lesson lesson) {
    if (lesson.exceeded().isPresent()) {
      return Event.Cause.DIMENSION;
    }
    return lesson.acceleration() ? Event.Cause.ACCELERATION : Event.Cause.UNSTATED;
  }

  private <T> NextStep<T> failed(
      Permit<T> permit, Reply<T> reply, Lesson lesson, String message, long now) {
    var waiter = permit.waiter;
    int retries = settings.retries().maxRetries();
    if (reached) {
      waiter.failures += lesson.failure() ? 1 : 0;
    } else if (isUnreachable(permit, now)) {
      var why = new Refusal.LaneShut("never reached: " + message, "check address and network");
      shut(why, SHUT_FOR, now);
      if (waiter.anyLane == null) {
        return gaveUp(permit, reply, why.advice());
      }
    }
    if (retries == 0 || waiter.failures > retries) {
      var tried = waiter.attempts == 1 ? "1 attempt" : waiter.attempts + " attempts";
      var advice = "no answer in " + tried + "; raise maxRetries, or try later";
      return gaveUp(permit, reply, Refusal.LaneShut.words(message, advice));
    }
    if (limits.paused(now) && reply.signals().retryAfter().isPresent()) {
      return again(permit, reply, 0, 0, false, now);
    }
    long pause = settings.retries().pause(Math.max(0, waiter.failures - 1), settings.random());
    return again(permit, reply, pause, pause, true, now);
  }

  /**
   * Whether a lane that never had a reply is given up. Whoever should answer there may be about to
   * start, so that takes a minute, and some attempts: one that was long under way says little. Less
   * where nobody waits that long.
   */
  private boolean isUnreachable(Permit<?> permit, long now) {
    unreached++;
    unreachedSince = Math.min(unreachedSince, permit.sentAt());
    long most = settings.maxWait().toNanos();
    long pause = settings.retries().base().toNanos();
    boolean rests = limits.breaker().state() == BreakerState.OPEN;
    long next = rests ? limits.breaker().until() : now + pause;
    boolean tried = now - unreachedSince >= UNREACHABLE_AFTER.toNanos();
    boolean tooLong = now - permit.sentAt() < most && next - unreachedSince > most;
    return (tried && unreached >= UNREACHABLE_ATTEMPTS) || tooLong;
  }

  /** Whether a call whose lane is shut is tried in its others; each it may find shut once. */
  private boolean mayGoElsewhere(Waiter<?> waiter) {
    return waiter.anyLane != null
        && waiter.failures++
            < Math.max(settings.retries().maxRetries(), waiter.call.others().size());
  }

  /**
   * Gives a call its place back.
   *
   * @param pause before it goes in this lane again
   * @param elsewhere before it goes in another, of which the reply said nothing
   */
  private <T> NextStep<T> again(
      Permit<T> permit, Reply<T> reply, long pause, long elsewhere, boolean retry, long now) {
    var waiter = permit.waiter;
    if (closing) {
      counters.errored++;
      var refused = new Outcome.Refused<T>(new Refusal.ShuttingDown(), waiter.attempts);
      return new NextStep.Ended<>(refused);
    }
    if (shut != null && now < shutUntil && waiter.anyLane == null) {
      return gaveUp(permit, reply, shut.advice());
    }
    if (waiter.last) {
      return gaveUp(permit, reply, "its answer had begun, and so it is not tried again");
    }
    if (waiter.waitEnds != Long.MAX_VALUE) {
      waiter.waitEnds += now - permit.sentAt();
    }
    if (now + pause >= waiter.latest()) {
      return gaveUp(permit, reply, "no answer within " + waiter.had());
    }
    waiter.retrying = retry;
    waiter.waitsAgain(pause, now);
    if (waiter.anyLane == null) {
      waiter.answer(null);
    } else {
      waiter.anyLane.again(waiter, Math.min(pause, elsewhere));
    }
    return new NextStep.Again<>();
  }

  private <T> NextStep<T> gaveUp(Permit<T> permit, Reply<T> reply, String why) {
    counters.errored++;
    var last = Optional.of(reply);
    var waiter = permit.waiter;
    return new NextStep.Ended<>(new Outcome.GaveUp<>(why, last, waiter.usage, waiter.attempts));
  }

  /** Tells listeners what came back and what follows. */
  void report(Permit<?> permit, Reply<?> reply, NextStep<?> next, long now) {
    if (!feed.heard()) {
      return;
    }
    var waiter = permit.waiter;
    var took = Duration.ofNanos(now - permit.sentAt());
    feed.add(new Event.Settled(lane, waiter.number, permit.number, reply.kind(), took));
    if (next instanceof NextStep.Ended<?>(var outcome)) {
      feed.add(new Event.Finished(lane, waiter.number, waiter.call.name(), outcome));
    } else {
      var pause = Duration.ofNanos(waiter.waitsUntil - now);
      feed.add(new Event.Retrying(lane, waiter.number, permit.number + 1, pause));
    }
  }
}
