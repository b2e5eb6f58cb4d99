package dev.flyball.gateway.proxy;

import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.Outcome;
import dev.flyball.call.Priority;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.CallStep.Ending;
import dev.flyball.gateway.http.Caller;
import dev.flyball.gateway.http.CallerPace;
import dev.flyball.gateway.http.ProxiedCall;
import dev.flyball.llm.Provider;
import dev.flyball.llm.price.Price;
import dev.flyball.llm.reply.ErrorClassifier;
import dev.flyball.llm.reply.ReplyHead;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.ChargedReply;
import dev.flyball.run.KeyLanes;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.NextStep;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.Waiter;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the gateway.
 *
 * <h2>How it works</h2>
 *
 * When its {@link RequestBody} is whole it takes its place in the scheduler, waits without a
 * thread, is sent when the limits allow it, and passes the answer on piece by piece. What the
 * scheduler tells comes from any thread and is taken to the event loop first; everything else
 * happens there, so its fields need no lock. Whatever comes after {@link #isOver} is too late and
 * does nothing.
 *
 * <p>As long as nothing of an answer has gone on to the client, a failed attempt goes back to its
 * place and is tried again, and when its provider has no more to offer, the next one of its route
 * is asked. After the first piece nothing is tried again.
 *
 * <p>Long because these are one life: each step needs what the others have left.
 */
final class Turn
    implements Handler<Void>, Consumer<Waiter<Turn>>, ProviderExchange.Owner, RequestBody.Owner {
  private static final Duration BODY_WITHIN = Duration.ofSeconds(60);

  private static final Duration FIRST_BYTE = Duration.ofMinutes(10);
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final Duration SLOW_CLIENT = Duration.ofMinutes(2);

  private enum State {
    COLLECTING,
    WAITING,
    SENDING,
    STREAMING,
    OVER
  }

  private final ModelProxy proxy;
  private final Loop loop;
  private final HttpServerRequest request;
  private final Caller caller;
  private final ModelProxy.Way way;
  private final ClientReply client;
  private final RequestBody body;
  private final long began;
  private State state = State.COLLECTING;
  private @Nullable CallStory story;

  /** Whether it counts among those of its caller that wait. */
  private boolean counted;

  /** Whether only a guess says that it waits longer than it may. */
  private boolean doubtful;

  private List<ModelProxy.Asked> asked = List.of();
  private int next;
  private ModelProxy.@Nullable Asked now;
  private @Nullable KeyLanes keys;
  private TokenCounter.@Nullable Count count;
  private Estimate estimate = Estimate.UNKNOWN;
  private Optional<Price> price = Optional.empty();
  private Duration maxWait = Duration.ZERO;
  private CallerPace.@Nullable Place ownPlace;
  private @Nullable Waiter<Turn> waiter;
  private @Nullable Permit<Turn> permit;
  private @Nullable ProviderExchange exchange;
  private @Nullable ShadowCall shadow;
  private long waitsSince;
  private long saidAt;
  private long sentAt;
  private long lastPieceAt;
  private long fullSince;
  private int status;

  Turn(ModelProxy proxy, Loop loop, HttpServerRequest request, Caller caller, ModelProxy.Way way) {
    this.proxy = proxy;
    this.loop = loop;
    this.request = request;
    this.caller = caller;
    this.way = way;
    this.client = new ClientReply(request.response(), way.dialect());
    this.body = new RequestBody(proxy, loop, request, caller, this);
    this.began = proxy.time().nanos();
    this.waitsSince = began;
  }

  @Override
  public boolean isOver() {
    return state == State.OVER;
  }

  // ---- the body ----

  void begin() {
    request.response().closeHandler(closed -> gone());
    request.response().exceptionHandler(failed -> gone());
    request.exceptionHandler(failed -> gone());
    loop.begins(this);
    proxy.begins();
    if (proxy.isDraining()) {
      refuse(RefusalReply.draining());
    } else {
      body.read();
    }
  }

  @Override
  public void tooMuch(RefusalReply why) {
    refuse(why);
  }

  @Override
  public void whole() {
    if (isOver()) {
      return;
    }
    var outline = body.outline();
    var model = outline.model();
    var call =
        new ProxiedCall(
            proxy.nextId(),
            proxy.time().wall(),
            caller,
            request.method().name(),
            way.path(),
            model,
            outline.streamed(),
            Optional.ofNullable(request.getHeader("traceparent")));
    story = new CallStory(proxy, call, began);
    client.headers().set("x-flyball-id", call.id());
    if (!model.isEmpty() && !caller.models().test(model)) {
      refuse(403, "this key may not ask the model " + model);
      return;
    }
    asked = proxy.asked(way, model);
    if (asked.isEmpty()) {
      refuse(503, proxy.missing(way));
    } else if (!way.isPaced(request.method(), request.getHeader("content-type"))) {
      goUnpaced();
    } else {
      bounds();
    }
  }

  private void bounds() {
    maxWait = proxy.rules().maxWait();
    var said = request.getHeader("x-flyball-max-wait");
    if (said != null) {
      var time = Span.of(said);
      if (time.isEmpty()) {
        refuse(400, "x-flyball-max-wait: a time is written 30s, 2m or 500ms");
        return;
      }
      maxWait = time.get();
    }
    var priority = priority();
    if (priority.isEmpty()) {
      refuse(400, "x-flyball-priority: it is one of interactive, normal and bulk");
    } else {
      stand(priority.get());
    }
  }

  /** Takes its place among the caller's own, who may have limits of their own. */
  private void stand(Priority priority) {
    if (!proxy.room().waits(caller, proxy.rules())) {
      refuse(RefusalReply.tooManyWait(proxy.rules().mostWaitingOfKey(), proxy::jittered));
      return;
    }
    counted = true;
    state = State.WAITING;
    waitsSince = proxy.time().nanos();
    var place = caller.pace().enter(() -> loop.context().runOnContext(told -> letGo(priority)));
    ownPlace = place;
    if (place.isGranted()) {
      enter(priority);
    }
  }

  private void letGo(Priority priority) {
    if (state == State.WAITING && waiter == null) {
      story().waited("the limits of this key", Duration.ofNanos(proxy.time().nanos() - waitsSince));
      enter(priority);
    }
  }

  private Optional<Priority> priority() {
    var said = request.getHeader("x-flyball-priority");
    if (said == null) {
      return Optional.of(caller.priority());
    }
    return switch (said.strip().toLowerCase(Locale.ROOT)) {
      case "interactive" -> Optional.of(Priority.INTERACTIVE);
      case "normal" -> Optional.of(Priority.NORMAL);
      case "bulk" -> Optional.of(Priority.BULK);
      default -> Optional.empty();
    };
  }

  // ---- waiting ----

  /** Takes its place at the next provider of its route. */
  private void enter(Priority priority) {
    var target = asked.get(next++);
    now = target;
    var model = target.model().orElse(body.outline().model());
    var lanes = target.upstream().lanes(model, way.beside());
    keys = lanes;
    var outline = body.outline();
    var tokens = proxy.tokens().estimate(model, outline.textBytes(), outline.images());
    count = tokens;
    price = proxy.price(target.upstream().name(), model);
    estimate = proxy.estimate(tokens.tokens(), outline.mostOutput(), price);
    var place = lanes.call().estimated(estimate).priority(priority).on(caller.tenant());
    if (caller.account().isPresent()) {
      place = place.paidBy(caller.account().get());
    }
    enter(place.waitingAtMost(maxWait).named(story().call().id()), priority);
  }

  private void enter(Call place, Priority priority) {
    if (proxy.rules().shadow()) {
      goInShadow(place);
      return;
    }
    var earlier = waiter;
    state = State.WAITING;
    waiter = null;
    waitsSince = proxy.time().nanos();
    story()
        .tell(
            new CallStep.Queued(place.lane(), estimate.input(), estimate.maxOutput(), body.size()));
    var entered =
        earlier == null
            ? proxy.flyball().enter(place, this)
            : proxy.flyball().enter(place, this, earlier);
    waiter = entered;
    if (entered.admission() instanceof Admission.Wait<Turn>) {
      var predicted = entered.place();
      story().waits(predicted);
      if (predicted.proved().compareTo(maxWait) > 0) {
        entered.withdraw();
        tooLong(predicted, priority);
      }
      doubtful = predicted.left().compareTo(maxWait) > 0;
    } else {
      look();
    }
  }

  private void tooLong(Waiter.Place predicted, Priority priority) {
    if (next < asked.size()) {
      enter(priority);
      return;
    }
    refuse(RefusalReply.wouldWait(predicted, maxWait, proxy::jittered));
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
    if (state == State.WAITING) {
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
      enter(priority().orElse(Priority.NORMAL));
      return;
    }
    RefusalReply.of(why, way.dialect(), proxy::jittered).ifPresent(this::refuse);
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

  // ---- sending ----

  private void send(Permit<Turn> granted) {
    permit = granted;
    state = State.SENDING;
    waitsNoMore();
    long moment = proxy.time().nanos();
    story().sent(granted, Duration.ofNanos(moment - waitsSince));
    var lane = lanes().of(granted.lane());
    go(lane.provider(), moment);
  }

  /** The scheduler reckons with it, and nobody waits for that. */
  private void goInShadow(Call place) {
    state = State.SENDING;
    waitsNoMore();
    story()
        .tell(
            new CallStep.Queued(place.lane(), estimate.input(), estimate.maxOutput(), body.size()));
    var reckoned = ShadowCall.enter(proxy.flyball(), place, proxy.shadows(), proxy.time());
    shadow = reckoned;
    client.headers().set("x-flyball-would-wait-ms", Long.toString(reckoned.predicted().toMillis()));
    story().sentAtOnce(reckoned.lane());
    go(asking().upstream().first(), proxy.time().nanos());
  }

  /** The reply of a call that nobody paced; what it used counts all the same. */
  private void shadowed(Reply<Turn> reply) {
    if (shadow != null) {
      var charged = ChargedReply.of(reply, estimate, price);
      var took = Duration.ofNanos(proxy.time().nanos() - sentAt);
      story().attempted(shadow.lane(), status, charged, took, false);
      shadow.replied(charged.reply());
    }
  }

  private void goUnpaced() {
    now = asked.getFirst();
    state = State.SENDING;
    go(now.upstream().first(), proxy.time().nanos());
  }

  private void go(Provider under, long moment) {
    sentAt = moment;
    var going = new ProviderExchange(loop, this, proxy.time()::wall, estimate.input());
    exchange = going;
    going.start(
        asking().upstream(),
        under,
        request.method(),
        way.uri(),
        request.headers(),
        body.with(asking().model()));
  }

  // ---- the answer ----

  @Override
  public void answers(
      int code, MultiMap headers, ReplyHead head, Signals signals, boolean sightNow) {
    long moment = proxy.time().nanos();
    status = code;
    state = State.STREAMING;
    lastPieceAt = moment;
    if (permit != null) {
      lanes().came(lanes().of(permit.lane()), head, proxy.flyball());
      if (sightNow) {
        permit.sighted(signals);
      }
      story().answering(code, Duration.ofNanos(moment - sentAt));
    } else if (shadow != null) {
      shadow.sighted(signals);
      story().answering(code, Duration.ofNanos(moment - sentAt));
    }
    describe();
    client.begin(code, headers, ProviderExchange.length(headers));
  }

  @Override
  public void piece(Buffer piece, boolean last) {
    lastPieceAt = proxy.time().nanos();
    if (last && !client.isOpened()) {
      client.end(piece);
      return;
    }
    client.write(piece);
    if (client.isFull() && exchange != null) {
      fullSince = lastPieceAt;
      exchange.pause();
      client.whenDrained(this::drained);
    }
  }

  private void drained() {
    if (exchange != null && !isOver()) {
      fullSince = 0;
      lastPieceAt = proxy.time().nanos();
      exchange.resume();
    }
  }

  @Override
  public void ended(Optional<String> cutBy) {
    if (isOver() || exchange == null) {
      return;
    }
    var reply = exchange.reply(cutBy, this);
    if (cutBy.isPresent()) {
      client.cut();
    } else {
      client.comment(client.isOpened() ? describe() : "");
      client.end();
    }
    if (permit == null) {
      shadowed(reply);
      over(cutBy.isPresent() ? Ending.FAILED : Ending.ANSWERED);
      return;
    }
    var charged = ChargedReply.of(reply, estimate, price);
    if (reply instanceof Reply.Answered<Turn>(var value, var usage, var signals) && count != null) {
      proxy.tokens().learn(count, usage);
    }
    settled(charged, permit.settleForGood(charged.reply()));
    over(cutBy.isPresent() ? Ending.FAILED : Ending.ANSWERED);
  }

  @Override
  public void refuses(int code, MultiMap headers, ReplyHead head, byte[] body) {
    if (isOver()) {
      return;
    }
    status = code;
    if (permit == null) {
      shadowed(ErrorClassifier.classify(head, body));
      describe();
      client.fail(code, headers, body);
      over(Ending.FAILED);
      return;
    }
    var lane = lanes().of(permit.lane());
    Reply<Turn> reply =
        lane.replied() ? ErrorClassifier.classify(head, body) : ErrorClassifier.first(head, body);
    lanes().came(lane, head, proxy.flyball());
    if (reply instanceof Reply.Rejected<Turn> no && no.whole()) {
      lanes().refused(lane);
    }
    if (settle(reply)) {
      return;
    }
    if (!(reply instanceof Reply.Rejected)) {
      // It was tried again here as often as makes sense.
      client.headers().set("x-should-retry", "false");
    }
    describe();
    client.fail(code, headers, body);
    over(Ending.FAILED);
  }

  @Override
  public void broke(String message, boolean sent) {
    if (isOver()) {
      return;
    }
    status = 0;
    if (permit != null && settle(new Reply.Broken<>(message, sent))) {
      return;
    }
    shadowed(new Reply.Broken<>(message, sent));
    refuse(RefusalReply.of(502, "the provider could not be asked: " + message), Ending.FAILED);
  }

  /** Whether it goes on: it is tried again, here or elsewhere. */
  private boolean settle(Reply<Turn> reply) {
    var settling = permit;
    if (settling == null) {
      return false;
    }
    var charged = ChargedReply.of(reply, estimate, price);
    var follows = settling.settle(charged.reply());
    settled(charged, follows);
    permit = null;
    exchange = null;
    if (follows instanceof NextStep.Again<Turn>) {
      state = State.WAITING;
      waitsSince = proxy.time().nanos();
      look();
      return true;
    }
    boolean elsewhere =
        next < asked.size()
            && (!(reply instanceof Reply.Rejected<Turn> no) || no.whole())
            && !(follows instanceof NextStep.Ended<Turn>(Outcome.Refused<Turn>(var why, var n))
                && why instanceof Refusal.ShuttingDown);
    if (elsewhere) {
      enter(priority().orElse(Priority.NORMAL));
    }
    return elsewhere;
  }

  private void settled(ChargedReply<Turn> charged, NextStep<Turn> follows) {
    if (permit != null) {
      var took = Duration.ofNanos(proxy.time().nanos() - sentAt);
      story().attempted(permit.lane(), status, charged, took, follows instanceof NextStep.Again);
    }
  }

  // ---- the end ----

  private void refuse(int code, String message) {
    refuse(RefusalReply.of(code, message));
  }

  private void refuse(RefusalReply why) {
    refuse(why, Ending.REFUSED);
  }

  private void refuse(RefusalReply why, Ending ending) {
    if (!isOver()) {
      describe();
      client.refuse(why);
      over(ending);
    }
  }

  /** Says in the headers, or in a line, what became of it. */
  private String describe() {
    if ((waiter == null && shadow == null) || now == null) {
      return "";
    }
    var lane = now.upstream().name() + "/" + now.model().orElse(body.outline().model());
    return story().describe(lane, client.isOpened() ? null : client.headers());
  }

  /** The client is not there any more, or will not be when this has ended. */
  private void gone() {
    if (isOver() || client.hasEnded()) {
      return;
    }
    if (exchange != null) {
      if (permit != null) {
        var soFar = exchange.soFar();
        var soFarCost = price.flatMap(known -> known.cost(soFar));
        story().used(soFar, soFarCost);
        permit.abandon(soFarCost.map(soFar::costing).orElse(soFar));
      } else if (shadow != null) {
        var soFar = exchange.soFar();
        story().used(soFar, price.flatMap(known -> known.cost(soFar)));
        shadow.left(soFar);
      }
      exchange.cancel();
    } else if (waiter != null) {
      waiter.withdraw();
    }
    over(Ending.LEFT);
  }

  /** The server ends and waits no longer. */
  void cut() {
    gone();
    client.cut();
  }

  private void over(Ending how) {
    state = State.OVER;
    waitsNoMore();
    if (ownPlace != null) {
      ownPlace.leave(story == null ? 0 : story.used().tokens());
    }
    loop.ended(this);
    proxy.ended();
    body.drop();
    if (story != null && (waiter != null || shadow != null)) {
      story.ended(how, how == Ending.LEFT ? 0 : client.status(), client.bytes());
    }
  }

  private void waitsNoMore() {
    if (counted) {
      counted = false;
      proxy.room().waitsNoMore(caller);
    }
  }

  /** Cuts what takes too long, and tells a stream that waits where it stands. */
  void tick() {
    long moment = proxy.time().nanos();
    switch (state) {
      case COLLECTING -> {
        if (moment - began > BODY_WITHIN.toNanos()) {
          refuse(408, "the request did not come within a minute");
          body.passOver();
        }
      }
      case WAITING -> {
        if (waiter == null && moment - waitsSince > maxWait.toNanos()) {
          refuse(RefusalReply.ownLimits(maxWait, proxy::jittered));
        } else {
          lookAgain(moment);
          tellWhereItStands(moment);
        }
      }
      case SENDING -> {
        if (moment - sentAt > FIRST_BYTE.toNanos() && exchange != null) {
          exchange.cancel();
          broke("no first byte within " + Span.words(FIRST_BYTE), true);
        }
      }
      case STREAMING -> {
        if (fullSince != 0 && moment - fullSince > SLOW_CLIENT.toNanos()) {
          gone();
          client.cut();
        } else if (fullSince == 0 && moment - lastPieceAt > IDLE.toNanos() && exchange != null) {
          exchange.cancel();
          ended(Optional.of("stood still for " + Span.words(IDLE)));
        }
      }
      case OVER -> {}
    }
  }

  /** What was a guess when it came in may be known by now. */
  private void lookAgain(long moment) {
    if (!doubtful || waiter == null || state != State.WAITING) {
      return;
    }
    var place = waiter.place();
    var left = maxWait.minusNanos(moment - waitsSince);
    if (place.proved().compareTo(left) > 0) {
      waiter.withdraw();
      tooLong(place, priority().orElse(Priority.NORMAL));
    }
  }

  private void tellWhereItStands(long moment) {
    long quiet = moment - Math.max(waitsSince, saidAt);
    if (isOver()
        || waiter == null
        || !body.outline().streamed()
        || quiet < proxy.rules().opensAfter().toNanos()) {
      return;
    }
    saidAt = moment;
    var place = waiter.place();
    client.open();
    client.comment("queued %d, about %s".formatted(place.ahead() + 1, Span.words(place.left())));
    story().waits(place);
  }

  private CallStory story() {
    return Objects.requireNonNull(story);
  }

  private KeyLanes lanes() {
    return Objects.requireNonNull(keys);
  }

  private ModelProxy.Asked asking() {
    return Objects.requireNonNull(now);
  }

  @Override
  public String toString() {
    return "Turn[" + state + "]";
  }
}
