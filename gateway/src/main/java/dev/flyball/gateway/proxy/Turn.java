package dev.flyball.gateway.proxy;

import dev.flyball.call.Call;
import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.Outcome;
import dev.flyball.call.Priority;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
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
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the gateway.
 *
 * <h2>How it works</h2>
 *
 * It collects its body, takes its place in the scheduler, waits without a thread, is sent when the
 * limits allow it, and passes the answer on piece by piece. What the scheduler tells comes from any
 * thread and is taken to the event loop first; everything else happens there, so its fields need no
 * lock. Whatever comes after {@link #isOver} is too late and does nothing.
 *
 * <p>As long as nothing of an answer has gone on to the client, a failed attempt goes back to its
 * place and is tried again, and when its provider has no more to offer, the next one of its route
 * is asked. After the first piece nothing is tried again.
 *
 * <p>Long because these are one life: each step needs what the others have left.
 */
final class Turn implements Handler<Void>, Consumer<Waiter<Turn>>, ProviderExchange.Owner {
  private static final Duration BODY_WITHIN = Duration.ofSeconds(60);

  /** How long, and how many bytes, a refused request may still be sending. */
  private static final Duration LINGERS = Duration.ofSeconds(5);

  private static final long MOST_DROPPED = 64L << 20;
  private static final Duration FIRST_BYTE = Duration.ofMinutes(10);
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final Duration SLOW_CLIENT = Duration.ofMinutes(2);

  /** SDKs wait no longer than that before they try again, whatever they are told. */
  private static final Duration LONGEST_HINT = Duration.ofSeconds(60);

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
  private final RequestOutline outline = new RequestOutline();
  private final List<Buffer> parts = new ArrayList<>(2);
  private final Map<String, Duration> waitedFor = new LinkedHashMap<>(4);
  private final long began;
  private State state = State.COLLECTING;
  private long size;
  private long held;
  private @Nullable ProxiedCall call;
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
  private int attempts;
  private long waitsSince;
  private long saidAt;
  private long sentAt;
  private long lastPieceAt;
  private long fullSince;
  private int status;
  private Duration waited = Duration.ZERO;
  private Usage used = Usage.NONE;
  private Optional<Cost> cost = Optional.of(Cost.NOTHING);

  Turn(ModelProxy proxy, Loop loop, HttpServerRequest request, Caller caller, ModelProxy.Way way) {
    this.proxy = proxy;
    this.loop = loop;
    this.request = request;
    this.caller = caller;
    this.way = way;
    this.client = new ClientReply(request.response(), way.dialect());
    this.began = proxy.time().nanos();
    this.waitsSince = began;
  }

  private boolean isOver() {
    return state == State.OVER;
  }

  // ---- collecting ----

  void begin() {
    request.response().closeHandler(closed -> gone());
    request.response().exceptionHandler(failed -> gone());
    request.exceptionHandler(failed -> gone());
    loop.begins(this);
    proxy.begins();
    long length = ProviderExchange.length(request.headers());
    if (proxy.isDraining()) {
      refuse(
          503, "the gateway is shutting down: try again", Optional.of(Duration.ofSeconds(1)), true);
    } else if (length > proxy.rules().maxBody()) {
      tooLarge();
    } else if (!proxy.hold(Math.max(0, length))) {
      noRoom();
    } else {
      held = Math.max(0, length);
      request.handler(this::part);
      request.endHandler(end -> whole());
    }
  }

  private void part(Buffer part) {
    if (isOver()) {
      return;
    }
    size += part.length();
    if (size > proxy.rules().maxBody()) {
      tooLarge();
      return;
    }
    if (size > held) {
      if (!proxy.hold(size - held)) {
        noRoom();
        return;
      }
      held = size;
    }
    parts.add(part);
    ByteBuf bytes = ((BufferInternal) part).getByteBuf();
    if (bytes.hasArray()) {
      int from = bytes.arrayOffset() + bytes.readerIndex();
      outline.feed(bytes.array(), from, from + bytes.readableBytes());
    } else {
      outline.feed(part.getBytes(), 0, part.length());
    }
  }

  private void tooLarge() {
    refuse(
        413,
        "the request is larger than the %,d bytes that this gateway takes (max-body)"
            .formatted(proxy.rules().maxBody()),
        Optional.empty(),
        false);
    passOver();
  }

  /**
   * Drops what a refused request still sends. Closing at once would lose the refusal to a reset,
   * and on HTTP/2 every other request of the connection; taking it without end would be a hold on
   * us.
   */
  private void passOver() {
    if (request.isEnded()) {
      return;
    }
    var vertx = loop.context().owner();
    long timer = vertx.setTimer(LINGERS.toMillis(), end -> hangUp());
    size = 0;
    request.handler(
        part -> {
          size += part.length();
          if (size > MOST_DROPPED) {
            hangUp();
          }
        });
    request.endHandler(end -> vertx.cancelTimer(timer));
  }

  private void hangUp() {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset();
    } else {
      request.connection().close();
    }
  }

  private void noRoom() {
    refuse(
        429,
        "the requests that wait fill the gateway's memory: send fewer at once",
        Optional.of(jittered(Duration.ofSeconds(5))),
        true);
  }

  private void whole() {
    if (isOver()) {
      return;
    }
    var model = outline.model();
    call =
        new ProxiedCall(
            proxy.nextId(),
            proxy.time().wall(),
            caller,
            request.method().name(),
            way.path(),
            model,
            outline.streamed());
    client.headers().set("x-flyball-id", call.id());
    if (!model.isEmpty() && !caller.models().test(model)) {
      refuse(403, "this key may not ask the model " + model, Optional.empty(), false);
      return;
    }
    asked = proxy.asked(way, model);
    if (asked.isEmpty()) {
      refuse(503, proxy.missing(way), Optional.empty(), false);
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
        refuse(
            400, "x-flyball-max-wait: a time is written 30s, 2m or 500ms", Optional.empty(), false);
        return;
      }
      maxWait = time.get();
    }
    var priority = priority();
    if (priority.isEmpty()) {
      refuse(
          400,
          "x-flyball-priority: it is one of interactive, normal and bulk",
          Optional.empty(),
          false);
    } else {
      stand(priority.get());
    }
  }

  /** Takes its place among the caller's own, who may have limits of their own. */
  private void stand(Priority priority) {
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
      var time = Duration.ofNanos(proxy.time().nanos() - waitsSince);
      waited = waited.plus(time);
      waitedFor.merge("the limits of this key", time, Duration::plus);
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
    var model = target.model().orElse(outline.model());
    var lanes = target.upstream().lanes(model, way.beside());
    keys = lanes;
    var counted = proxy.tokens().estimate(model, outline.textBytes(), outline.images());
    count = counted;
    price = proxy.price(target.upstream().name(), model);
    estimate = proxy.estimate(counted.tokens(), outline.mostOutput(), price);
    var place = lanes.call().estimated(estimate).priority(priority).on(caller.tenant());
    if (caller.account().isPresent()) {
      place = place.paidBy(caller.account().get());
    }
    enter(place.waitingAtMost(maxWait).named(told().id()), priority);
  }

  private void enter(Call place, Priority priority) {
    var earlier = waiter;
    state = State.WAITING;
    waiter = null;
    waitsSince = proxy.time().nanos();
    proxy.told(
        told(), new CallStep.Queued(place.lane(), estimate.input(), estimate.maxOutput(), size));
    var entered =
        earlier == null
            ? proxy.flyball().enter(place, this)
            : proxy.flyball().enter(place, this, earlier);
    waiter = entered;
    if (entered.admission() instanceof Admission.Wait<Turn>) {
      var predicted = entered.place();
      proxy.told(
          told(),
          new CallStep.Waits(
              predicted.constraint(), Optional.of(predicted.left()), predicted.ahead()));
      if (predicted.left().compareTo(maxWait) > 0) {
        entered.withdraw();
        tooLong(predicted, priority);
      }
    } else {
      look();
    }
  }

  private void tooLong(Waiter.Place predicted, Priority priority) {
    if (next < asked.size()) {
      enter(priority);
      return;
    }
    var longer = predicted.left().minus(maxWait);
    var least = Duration.ofSeconds(1);
    var wait = jittered(longer.compareTo(least) < 0 ? least : longer);
    refuse(
        429,
        "the wait would be about %s, for %s, and this request allows %s (x-flyball-max-wait)"
            .formatted(words(predicted.left()), predicted.constraint(), words(maxWait)),
        Optional.of(wait),
        wait.compareTo(LONGEST_HINT) <= 0);
  }

  /** Spread by a fifth, so that those who were refused together do not come back together. */
  private Duration jittered(Duration wait) {
    return wait.plus(wait.dividedBy(1_000).multipliedBy(proxy.random(200)));
  }

  private static String words(Duration time) {
    long millis = time.toMillis();
    return millis < 10_000 ? "%.1f s".formatted(millis / 1e3) : "%,d s".formatted(millis / 1_000);
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
    boolean anthropic = way.isAnthropic();
    switch (why) {
      case Refusal.QueueFull full ->
          refuse(429, full.advice(), Optional.of(jittered(Duration.ofSeconds(5))), true);
      case Refusal.TooLate late ->
          refuse(429, late.advice(), Optional.of(jittered(Duration.ofSeconds(1))), true);
      case Refusal.TooLarge large -> refuse(413, large.advice(), Optional.empty(), false);
      case Refusal.BudgetSpent spent -> refuse(429, spent.advice(), Optional.empty(), false);
      case Refusal.Unpriced unpriced -> refuse(403, unpriced.advice(), Optional.empty(), false);
      case Refusal.Resting(var left) ->
          refuse(
              anthropic ? 529 : 503,
              why.advice(),
              Optional.of(jittered(left)),
              left.compareTo(LONGEST_HINT) <= 0);
      case Refusal.Parked(var left) ->
          refuse(429, why.advice(), Optional.of(jittered(left)), left.compareTo(LONGEST_HINT) <= 0);
      case Refusal.LaneShut shut -> refuse(503, shut.advice(), Optional.empty(), false);
      case Refusal.ShuttingDown closing ->
          refuse(503, closing.advice(), Optional.of(Duration.ofSeconds(1)), true);
      case Refusal.Withdrawn withdrawn -> {}
    }
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
    attempts++;
    long moment = proxy.time().nanos();
    waited = waited.plusNanos(moment - waitsSince);
    var waits = granted.waited();
    waits.forEach((what, time) -> waitedFor.merge(what.name(), time, Duration::plus));
    proxy.told(told(), new CallStep.Sent(attempts, granted.lane(), waits));
    var lane = lanes().of(granted.lane());
    go(lane.provider(), moment);
  }

  private void goUnpaced() {
    now = asked.getFirst();
    state = State.SENDING;
    attempts++;
    go(now.upstream().first(), proxy.time().nanos());
  }

  private void go(Provider under, long moment) {
    sentAt = moment;
    var going = new ProviderExchange(loop, this, proxy.time()::wall, estimate.input());
    exchange = going;
    going.start(asking().upstream(), under, request.method(), way.uri(), request.headers(), body());
  }

  /** The parts one behind the other, and not copied; with another model's name if that is asked. */
  private Buffer body() {
    var other = asking().model().filter(name -> !name.equals(outline.model()));
    if (other.isEmpty() || outline.modelFrom() < 0) {
      if (parts.size() == 1) {
        return parts.getFirst();
      }
      var all = parts.stream().map(Turn::bytes).toArray(ByteBuf[]::new);
      return BufferInternal.buffer(Unpooled.wrappedBuffer(all.length + 1, all));
    }
    var whole = Buffer.buffer((int) size);
    parts.forEach(whole::appendBuffer);
    return Buffer.buffer()
        .appendBuffer(whole.slice(0, (int) outline.modelFrom()))
        .appendString(other.get().replace("\\", "\\\\").replace("\"", "\\\""))
        .appendBuffer(whole.slice((int) outline.modelTo(), whole.length()));
  }

  private static ByteBuf bytes(Buffer part) {
    return ((BufferInternal) part).getByteBuf();
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
      proxy.told(told(), new CallStep.Answering(attempts, code, Duration.ofNanos(moment - sentAt)));
    }
    describe(client.isOpened() ? null : client.headers());
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
      var said = client.isOpened() ? describe(null) : "";
      client.comment(said);
      client.end();
    }
    if (permit == null) {
      over(Ending.ANSWERED);
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
    describe(client.isOpened() ? null : client.headers());
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
    refuse(
        502, "the provider could not be asked: " + message, Optional.empty(), false, Ending.FAILED);
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
    if (permit == null) {
      return;
    }
    used = used.plus(charged.usage());
    cost = cost.flatMap(sum -> charged.cost().map(sum::plus));
    proxy.told(
        told(),
        new CallStep.Attempted(
            attempts,
            permit.lane(),
            status,
            charged.reply().kind(),
            charged.usage(),
            charged.cost(),
            Duration.ofNanos(proxy.time().nanos() - sentAt),
            follows instanceof NextStep.Again,
            message(charged.reply())));
  }

  private static String message(Reply<Turn> reply) {
    return switch (reply) {
      case Reply.Answered<Turn> answered -> "";
      case Reply.Throttled<Turn> throttled -> throttled.message();
      case Reply.Overloaded<Turn> overloaded -> overloaded.message();
      case Reply.Broken<Turn> broken -> broken.message();
      case Reply.CutShort<Turn> cut -> cut.message();
      case Reply.Rejected<Turn> rejected -> rejected.message();
    };
  }

  // ---- the end ----

  private void refuse(int code, String message, Optional<Duration> wait, boolean again) {
    refuse(code, message, wait, again, Ending.REFUSED);
  }

  private void refuse(
      int code, String message, Optional<Duration> wait, boolean again, Ending ending) {
    if (!isOver()) {
      describe(client.isOpened() ? null : client.headers());
      client.refuse(code, message, wait, again);
      over(ending);
    }
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
        used = used.plus(soFar);
        cost = cost.flatMap(sum -> soFarCost.map(sum::plus));
        permit.abandon(soFarCost.map(soFar::costing).orElse(soFar));
      }
      exchange.cancel();
    } else if (waiter != null) {
      waiter.withdraw();
    }
    over(Ending.LEFT);
  }

  private void over(Ending how) {
    state = State.OVER;
    if (ownPlace != null) {
      ownPlace.leave(used.tokens());
    }
    loop.ended(this);
    proxy.ended(held);
    parts.clear();
    if (call != null && waiter != null) {
      proxy.told(
          call,
          new CallStep.Ended(
              how,
              how == Ending.LEFT ? 0 : client.status(),
              attempts,
              used,
              cost,
              waited,
              Duration.ofNanos(proxy.time().nanos() - began),
              client.bytes()));
    }
  }

  /** Cuts what takes too long, and tells a stream that waits where it stands. */
  void tick() {
    long moment = proxy.time().nanos();
    switch (state) {
      case COLLECTING -> {
        if (moment - began > BODY_WITHIN.toNanos()) {
          refuse(408, "the request did not come within a minute", Optional.empty(), false);
          passOver();
        }
      }
      case WAITING -> {
        if (waiter == null && moment - waitsSince > maxWait.toNanos()) {
          refuse(
              429,
              "the limits of this key allowed nothing more within " + words(maxWait),
              Optional.of(jittered(Duration.ofSeconds(1))),
              true);
        } else {
          tellWhereItStands(moment);
        }
      }
      case SENDING -> {
        if (moment - sentAt > FIRST_BYTE.toNanos() && exchange != null) {
          exchange.cancel();
          broke("no first byte within " + words(FIRST_BYTE), true);
        }
      }
      case STREAMING -> {
        if (fullSince != 0 && moment - fullSince > SLOW_CLIENT.toNanos()) {
          gone();
          client.cut();
        } else if (fullSince == 0 && moment - lastPieceAt > IDLE.toNanos() && exchange != null) {
          exchange.cancel();
          ended(Optional.of("stood still for " + words(IDLE)));
        }
      }
      case OVER -> {}
    }
  }

  private void tellWhereItStands(long moment) {
    long quiet = moment - Math.max(waitsSince, saidAt);
    if (waiter == null || !outline.streamed() || quiet < proxy.rules().opensAfter().toNanos()) {
      return;
    }
    saidAt = moment;
    var place = waiter.place();
    client.open();
    client.comment("queued %d, about %s".formatted(place.ahead() + 1, words(place.left())));
    proxy.told(
        told(), new CallStep.Waits(place.constraint(), Optional.of(place.left()), place.ahead()));
  }

  // ---- words ----

  /** What became of it, as headers, or in a line. */
  private String describe(@Nullable MultiMap headers) {
    if (waiter == null || now == null) {
      return "";
    }
    var lane = now.upstream().name() + "/" + now.model().orElse(outline.model());
    var safe = lane.replaceAll("[^\\x21-\\x7e]", "?");
    var why = new StringBuilder();
    waitedFor.forEach(
        (what, time) -> {
          if (time.toMillis() > 0) {
            why.append(why.isEmpty() ? "" : ", ").append(what).append(' ').append(words(time));
          }
        });
    if (headers != null) {
      headers.set("x-flyball-lane", safe);
      headers.set("x-flyball-waited-ms", Long.toString(waited.toMillis()));
      headers.set("x-flyball-attempts", Integer.toString(attempts));
      if (!why.isEmpty()) {
        headers.set("x-flyball-waited-for", why.toString());
      }
    }
    return "flyball lane=%s waited-ms=%d waited-for=\"%s\" attempts=%d id=%s"
        .formatted(safe, waited.toMillis(), why, attempts, told().id());
  }

  private ProxiedCall told() {
    return Objects.requireNonNull(call);
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
