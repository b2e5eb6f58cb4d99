package dev.flyball.gateway.proxy;

import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Priority;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.Caller;
import dev.flyball.gateway.http.CallerPace;
import dev.flyball.llm.Provider;
import dev.flyball.llm.reply.ErrorClassifier;
import dev.flyball.llm.reply.ReplyHead;
import dev.flyball.run.ChargedReply;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.NextStep;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.Waiter;
import io.vertx.core.Handler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The call of one request as the scheduler knows it: its place in the lanes of one provider of its
 * route after the other, the permit of the attempt that is under way, and what each attempt is
 * charged. It sends nothing itself.
 *
 * <p>A failed attempt goes back to its place; when its provider has no more to offer, the next one
 * of the route is asked. What the scheduler tells comes from any thread and is taken to the event
 * loop first; everything else happens there. What comes after its request is over does nothing.
 *
 * <p>Long because a place, its permit and what follows it are one call: each step needs what the
 * others have left.
 */
final class PacedCall implements Handler<Void>, Consumer<Waiter<Turn>> {
  /** The request whose call it is. */
  interface Owner {
    /** Whether nobody waits for it any more. */
    boolean isOver();

    /** An attempt may go now. */
    void go(Provider under);

    /** There will be no answer. */
    void refuse(RefusalReply why);
  }

  /**
   * What a request says of itself.
   *
   * @param maxWait how long it may wait
   */
  record Bounds(Duration maxWait, Priority priority) {}

  private final ModelProxy proxy;
  private final Loop loop;
  private final Caller caller;
  private final ModelProxy.Way way;
  private final RequestBody body;
  private final CallStory story;
  private final List<ModelProxy.Asked> asked;
  private final Bounds bounds;
  private final Owner owner;

  /** Whether it counts among those of its caller that wait. */
  private boolean counted;

  /** Whether only a guess says that it waits longer than it may. */
  private boolean doubtful;

  /** What it waited for when that was last asked, if it stands in a lane. */
  private @Nullable Constraint waitsFor;

  private int next;
  private @Nullable RouteStop stop;
  private CallerPace.@Nullable Place ownPlace;
  private @Nullable Waiter<Turn> waiter;
  private @Nullable Permit<Turn> permit;
  private @Nullable ShadowCall shadow;
  private long waitsSince;
  private long saidAt;
  private long sentAt;

  PacedCall(
      ModelProxy proxy,
      Loop loop,
      Caller caller,
      ModelProxy.Way way,
      RequestBody body,
      CallStory story,
      List<ModelProxy.Asked> asked,
      Bounds bounds,
      Owner owner) {
    this.proxy = proxy;
    this.loop = loop;
    this.caller = caller;
    this.way = way;
    this.body = body;
    this.story = story;
    this.asked = asked;
    this.bounds = bounds;
    this.owner = owner;
    this.waitsSince = proxy.time().nanos();
  }

  // ---- waiting ----

  /** Takes its place among the caller's own, who may have limits of their own. */
  void begin() {
    if (!proxy.room().waits(caller, proxy.rules())) {
      owner.refuse(RefusalReply.tooManyWait(proxy.rules().mostWaitingOfKey(), proxy::jittered));
      return;
    }
    counted = true;
    var place = caller.pace().enter(() -> loop.context().runOnContext(told -> letGo()));
    ownPlace = place;
    if (place.isGranted()) {
      enter();
    }
  }

  private void letGo() {
    if (!owner.isOver() && waiter == null) {
      story.waited("the limits of this key", Duration.ofNanos(proxy.time().nanos() - waitsSince));
      enter();
    }
  }

  /** Takes its place at the next provider of its route. */
  private void enter() {
    var here = RouteStop.at(proxy, asked.get(next++), way, body.outline());
    stop = here;
    var place =
        here.lanes()
            .call()
            .estimated(here.estimate())
            .priority(bounds.priority())
            .on(caller.tenant());
    if (caller.account().isPresent()) {
      place = place.paidBy(caller.account().get());
    }
    enter(place.waitingAtMost(bounds.maxWait()).named(story.call().id()));
  }

  private void enter(Call place) {
    var needs = stop().estimate();
    story.tell(new CallStep.Queued(place.lane(), needs.input(), needs.maxOutput(), body.size()));
    if (proxy.rules().shadow()) {
      goInShadow(place);
      return;
    }
    var earlier = waiter;
    waiter = null;
    waitsSince = proxy.time().nanos();
    var entered =
        earlier == null
            ? proxy.flyball().enter(place, this)
            : proxy.flyball().enter(place, this, earlier);
    waiter = entered;
    if (entered.admission() instanceof Admission.Wait<Turn>) {
      var predicted = entered.place();
      waitsFor = predicted.constraint();
      story.waits(predicted);
      if (predicted.proved().compareTo(bounds.maxWait()) > 0) {
        entered.withdraw();
        tooLong(predicted);
      }
      doubtful = predicted.left().compareTo(bounds.maxWait()) > 0;
    } else {
      look();
    }
  }

  private void tooLong(Waiter.Place predicted) {
    if (next < asked.size()) {
      enter();
    } else {
      owner.refuse(RefusalReply.wouldWait(predicted, bounds.maxWait(), proxy::jittered));
    }
  }

  /** Something has changed; it may have changed back by now. */
  @Override
  public void accept(Waiter<Turn> told) {
    if (!loop.isHere() || waiter != null) {
      loop.context().runOnContext(this);
    }
  }

  @Override
  public void handle(Void nothing) {
    if (!owner.isOver() && permit == null) {
      look();
    }
  }

  private void look() {
    if (waiter == null) {
      return;
    }
    switch (waiter.admission()) {
      case Admission.Granted<Turn>(var granted) -> send(granted);
      case Admission.Refused<Turn>(var outcome) -> refused(outcome.refusal());
      case Admission.Wait<Turn> wait -> {}
    }
  }

  private void refused(Refusal why) {
    if (why instanceof Refusal.Withdrawn) {
      return;
    }
    if (next < asked.size() && isOfProvider(why)) {
      enter();
      return;
    }
    RefusalReply.of(why, way.dialect(), proxy::jittered).ifPresent(owner::refuse);
  }

  /** Whether another provider may do better. */
  private static boolean isOfProvider(Refusal why) {
    return switch (why) {
      case Refusal.QueueFull q -> true;
      case Refusal.TooLarge q -> true;
      case Refusal.Resting q -> true;
      case Refusal.Parked q -> true;
      case Refusal.LaneShut q -> true;
      case Refusal.TooLate q -> false;
      case Refusal.BudgetSpent q -> false;
      case Refusal.Unpriced q -> false;
      case Refusal.ShuttingDown q -> false;
      case Refusal.Withdrawn q -> false;
    };
  }

  /** What was a guess when it came in may be known by now; to be asked now and then. */
  void lookAgain(long moment) {
    if (waiter == null) {
      if (moment - waitsSince > bounds.maxWait().toNanos()) {
        owner.refuse(RefusalReply.ownLimits(bounds.maxWait(), proxy::jittered));
      }
      return;
    }
    if (doubtful) {
      var place = waiter.place();
      var left = bounds.maxWait().minusNanos(moment - waitsSince);
      if (place.proved().compareTo(left) > 0) {
        waiter.withdraw();
        tooLong(place);
      }
    }
  }

  /** Where it stands, if that has not been asked for so long. */
  Optional<Waiter.Place> place(long moment, Duration quiet) {
    if (waiter == null || moment - Math.max(waitsSince, saidAt) < quiet.toNanos()) {
      return Optional.empty();
    }
    saidAt = moment;
    var place = waiter.place();
    waitsFor = place.constraint();
    story.waits(place);
    return Optional.of(place);
  }

  // ---- sending ----

  private void send(Permit<Turn> granted) {
    permit = granted;
    waitsFor = null;
    waitsNoMore();
    sentAt = proxy.time().nanos();
    story.sent(granted, Duration.ofNanos(sentAt - waitsSince));
    owner.go(stop().lanes().of(granted.lane()).provider());
  }

  /** The scheduler reckons with it, and nobody waits for that. */
  private void goInShadow(Call place) {
    waitsNoMore();
    shadow = ShadowCall.enter(proxy.flyball(), place, proxy.shadows(), proxy.time());
    sentAt = proxy.time().nanos();
    story.sentAtOnce(shadow.lane());
    owner.go(stop().asked().upstream().first());
  }

  /** How long it would have waited, if it goes at once all the same. */
  Optional<Duration> wouldWait() {
    return Optional.ofNullable(shadow).map(ShadowCall::predicted);
  }

  /** Where it stands. */
  RouteStop stop() {
    return Objects.requireNonNull(stop);
  }

  // ---- the answer ----

  /** The provider answers. */
  void answers(int status, ReplyHead head, Signals signals, boolean sightNow) {
    if (permit != null) {
      var lanes = stop().lanes();
      lanes.came(lanes.of(permit.lane()), head, proxy.flyball());
      if (sightNow) {
        permit.sighted(signals);
      }
    } else if (shadow != null) {
      shadow.sighted(signals);
    }
    story.answering(status, Duration.ofNanos(proxy.time().nanos() - sentAt));
  }

  /** The answer has come to its end, or was cut; nothing is tried again. */
  void answered(int status, Reply<Turn> reply) {
    if (permit == null) {
      shadowed(status, reply);
      return;
    }
    var charged = stop().charged(reply);
    if (reply instanceof Reply.Answered<Turn>(var value, var usage, var signals)) {
      proxy.tokens().learn(stop().count(), usage);
    }
    var follows = permit.settleForGood(charged.reply());
    told(permit.lane(), status, charged, follows instanceof NextStep.Again);
  }

  /** What becomes of a request whose attempt failed. */
  enum AfterFailure {
    /** It is tried again, here or elsewhere. */
    GOES_ON,
    /** The client is told, and need not try again: that was done here as often as makes sense. */
    TRIED_ENOUGH,
    /** The client is told. */
    FOR_GOOD
  }

  /** The provider refuses. */
  AfterFailure refuses(int status, ReplyHead head, byte[] said) {
    if (permit == null) {
      shadowed(status, ErrorClassifier.classify(head, said));
      return AfterFailure.FOR_GOOD;
    }
    var lanes = stop().lanes();
    var lane = lanes.of(permit.lane());
    Reply<Turn> reply =
        lane.replied() ? ErrorClassifier.classify(head, said) : ErrorClassifier.first(head, said);
    lanes.came(lane, head, proxy.flyball());
    if (reply instanceof Reply.Rejected<Turn> no && no.whole()) {
      lanes.refused(lane);
    }
    if (settle(status, reply)) {
      return AfterFailure.GOES_ON;
    }
    return reply instanceof Reply.Rejected ? AfterFailure.FOR_GOOD : AfterFailure.TRIED_ENOUGH;
  }

  /** There was no reply. */
  AfterFailure broke(String message, boolean sent) {
    Reply<Turn> reply = new Reply.Broken<>(message, sent);
    if (permit == null) {
      shadowed(0, reply);
      return AfterFailure.FOR_GOOD;
    }
    return settle(0, reply) ? AfterFailure.GOES_ON : AfterFailure.FOR_GOOD;
  }

  /** Whether it goes on: it is tried again, here or elsewhere. */
  private boolean settle(int status, Reply<Turn> reply) {
    var settling = Objects.requireNonNull(permit);
    var charged = stop().charged(reply);
    var follows = settling.settle(charged.reply());
    told(settling.lane(), status, charged, follows instanceof NextStep.Again);
    permit = null;
    if (follows instanceof NextStep.Again<Turn>) {
      waitsSince = proxy.time().nanos();
      waitsFor = waiter == null ? null : waiter.place().constraint();
      look();
      return true;
    }
    boolean elsewhere =
        next < asked.size()
            && (!(reply instanceof Reply.Rejected<Turn> no) || no.whole())
            && !(follows instanceof NextStep.Ended<Turn>(Outcome.Refused<Turn>(var why, var n))
                && why instanceof Refusal.ShuttingDown);
    if (elsewhere) {
      enter();
    }
    return elsewhere;
  }

  private void told(LaneId lane, int status, ChargedReply<Turn> charged, boolean again) {
    var took = Duration.ofNanos(proxy.time().nanos() - sentAt);
    story.attempted(lane, status, charged, took, again);
  }

  /** The reply of a call that nobody paced; what it used counts all the same. */
  private void shadowed(int status, Reply<Turn> reply) {
    if (shadow != null) {
      var charged = stop().charged(reply);
      told(shadow.lane(), status, charged, false);
      shadow.replied(charged.reply());
    }
  }

  // ---- the end ----

  /** Its client is not there any more; so much was used of an attempt that was under way. */
  void left(Optional<Usage> soFar) {
    if (soFar.isPresent()) {
      var used = soFar.get();
      var cost = stop().cost(used);
      story.used(used, cost);
      if (permit != null) {
        permit.abandon(cost.map(used::costing).orElse(used));
      } else if (shadow != null) {
        shadow.left(used);
      }
    } else if (waiter != null) {
      waiter.withdraw();
    }
  }

  /**
   * It is given up; what it has waited for since its last attempt, if any, is part of its story.
   */
  void stopsWaiting() {
    if (waitsFor != null) {
      story.waited(waitsFor.name(), Duration.ofNanos(proxy.time().nanos() - waitsSince));
      waitsFor = null;
    }
  }

  /** Its request is over, however it ended. */
  void over() {
    waitsNoMore();
    if (ownPlace != null) {
      ownPlace.leave(story.used().tokens());
    }
  }

  private void waitsNoMore() {
    if (counted) {
      counted = false;
      proxy.room().waitsNoMore(caller);
    }
  }

  /** Whether the scheduler was ever asked. */
  boolean hasEntered() {
    return waiter != null || shadow != null;
  }
}
