package dev.flyball.gateway.proxy;

import dev.flyball.call.Priority;
import dev.flyball.call.Signals;
import dev.flyball.gateway.http.CallStep.Ending;
import dev.flyball.gateway.http.Caller;
import dev.flyball.gateway.http.ProxiedCall;
import dev.flyball.llm.Provider;
import dev.flyball.llm.reply.ReplyHead;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the gateway: its body, its client and the attempt that is under
 * way.
 *
 * <h2>How it works</h2>
 *
 * When its {@link RequestBody} is whole, its {@link PacedCall} takes a place in the scheduler and
 * waits without a thread; when that says so an attempt is sent, and the answer passed on piece by
 * piece. All of it happens on one event loop, so its fields need no lock. Whatever comes after
 * {@link #isOver} is too late and does nothing.
 *
 * <p>As long as nothing of an answer has gone on to the client, a failed attempt may be tried again
 * or elsewhere. After the first piece nothing is tried again.
 *
 * <p>Long because these are one life: each step needs what the others have left.
 */
final class Turn implements ProviderExchange.Owner, RequestBody.Owner, PacedCall.Owner {
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
  private @Nullable PacedCall paced;

  /** Who is asked, if nobody paces it. */
  private ModelProxy.@Nullable Asked unpaced;

  private @Nullable ProviderExchange exchange;
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
    var asked = proxy.asked(way, model);
    if (asked.isEmpty()) {
      refuse(503, proxy.missing(way));
    } else if (!way.isPaced(request.method(), request.getHeader("content-type"))) {
      unpaced = asked.getFirst();
      go(unpaced.upstream().first());
    } else {
      bounds().ifPresent(bounds -> pace(asked, bounds));
    }
  }

  private void pace(List<ModelProxy.Asked> asked, PacedCall.Bounds bounds) {
    state = State.WAITING;
    var call = new PacedCall(proxy, loop, caller, way, body, story(), asked, bounds, this);
    paced = call;
    call.begin();
  }

  /** What the request says of itself; if that is nonsense it is refused. */
  private Optional<PacedCall.Bounds> bounds() {
    var maxWait = proxy.rules().maxWait();
    var said = request.getHeader("x-flyball-max-wait");
    if (said != null) {
      var time = Span.of(said);
      if (time.isEmpty()) {
        refuse(400, "x-flyball-max-wait: a time is written 30s, 2m or 500ms");
        return Optional.empty();
      }
      maxWait = time.get();
    }
    var priority = priority();
    if (priority.isEmpty()) {
      refuse(400, "x-flyball-priority: it is one of interactive, normal and bulk");
      return Optional.empty();
    }
    return Optional.of(new PacedCall.Bounds(maxWait, priority.get()));
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

  // ---- sending ----

  @Override
  public void go(Provider under) {
    state = State.SENDING;
    sentAt = proxy.time().nanos();
    if (paced != null) {
      paced
          .wouldWait()
          .ifPresent(
              wait ->
                  client.headers().set("x-flyball-would-wait-ms", Long.toString(wait.toMillis())));
    }
    var to = paced == null ? Objects.requireNonNull(unpaced) : paced.stop().asked();
    long input = paced == null ? 0 : paced.stop().estimate().input();
    var going = new ProviderExchange(loop, this, proxy.time()::wall, input);
    exchange = going;
    going.start(
        to.upstream(),
        under,
        request.method(),
        way.uri(),
        request.headers(),
        body.with(to.model()));
  }

  // ---- the answer ----

  @Override
  public void answers(
      int code, MultiMap headers, ReplyHead head, Signals signals, boolean sightNow) {
    status = code;
    state = State.STREAMING;
    lastPieceAt = proxy.time().nanos();
    if (paced != null) {
      paced.answers(code, head, signals, sightNow);
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
    if (paced != null) {
      paced.answered(status, reply);
    }
    over(cutBy.isPresent() ? Ending.FAILED : Ending.ANSWERED);
  }

  @Override
  public void refuses(int code, MultiMap headers, ReplyHead head, byte[] said) {
    if (isOver()) {
      return;
    }
    status = code;
    exchange = null;
    var after = PacedCall.AfterFailure.FOR_GOOD;
    if (paced != null) {
      state = State.WAITING;
      after = paced.refuses(code, head, said);
    }
    switch (after) {
      case GOES_ON -> {
        return;
      }
      case TRIED_ENOUGH -> client.headers().set("x-should-retry", "false");
      case FOR_GOOD -> {}
    }
    describe();
    client.fail(code, headers, said);
    over(Ending.FAILED);
  }

  @Override
  public void broke(String message, boolean sent) {
    if (isOver()) {
      return;
    }
    status = 0;
    exchange = null;
    if (paced != null) {
      state = State.WAITING;
      if (paced.broke(message, sent) == PacedCall.AfterFailure.GOES_ON) {
        return;
      }
    }
    refuse(RefusalReply.of(502, "the provider could not be asked: " + message), Ending.FAILED);
  }

  // ---- the end ----

  private void refuse(int code, String message) {
    refuse(RefusalReply.of(code, message));
  }

  @Override
  public void refuse(RefusalReply why) {
    refuse(why, Ending.REFUSED);
  }

  private void refuse(RefusalReply why, Ending ending) {
    if (!isOver()) {
      if (paced != null) {
        paced.stopsWaiting();
      }
      describe();
      client.refuse(why);
      over(ending);
    }
  }

  /** Says in the headers, or in a line, what became of it. */
  private String describe() {
    return paced == null || !paced.hasEntered()
        ? ""
        : story().describe(paced.stop().name(), client.isOpened() ? null : client.headers());
  }

  /** The client is not there any more, or will not be when this has ended. */
  private void gone() {
    if (isOver() || client.hasEnded()) {
      return;
    }
    if (paced != null) {
      paced.stopsWaiting();
      paced.left(Optional.ofNullable(exchange).map(ProviderExchange::soFar));
    }
    if (exchange != null) {
      exchange.cancel();
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
    if (paced != null) {
      paced.over();
    }
    loop.ended(this);
    proxy.ended();
    body.drop();
    if (story != null && paced != null && paced.hasEntered()) {
      story.ended(how, how == Ending.LEFT ? 0 : client.status(), client.bytes());
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
        if (paced != null) {
          paced.lookAgain(moment);
          tellWhereItStands(paced, moment);
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

  private void tellWhereItStands(PacedCall waiting, long moment) {
    if (state == State.WAITING && body.outline().streamed()) {
      waiting
          .place(moment, proxy.rules().opensAfter())
          .ifPresent(
              place -> {
                client.open();
                client.comment(
                    "queued %d, about %s".formatted(place.ahead() + 1, Span.words(place.left())));
              });
    }
  }

  private CallStory story() {
    return Objects.requireNonNull(story);
  }

  @Override
  public String toString() {
    return "Turn[" + state + "]";
  }
}
