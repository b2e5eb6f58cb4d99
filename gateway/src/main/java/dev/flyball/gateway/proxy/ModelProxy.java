package dev.flyball.gateway.proxy;

import dev.flyball.call.Estimate;
import dev.flyball.gateway.http.Access;
import dev.flyball.gateway.http.CallListener;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.Caller;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.JsonError;
import dev.flyball.gateway.http.Mount;
import dev.flyball.gateway.http.ProxiedCall;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.price.Price;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.CostMeter;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.TrustOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The part of the gateway that stands where a provider would: its paths are theirs. */
public final class ModelProxy implements GatewayPart {
  private static final long PART_OF_HEAP = 4;
  private static final Duration LAST_CUT = Duration.ofSeconds(2);
  private static final String MESSAGES = "/v1/messages";
  private static final String COUNT = "/v1/messages/count_tokens";

  private final Ground ground;
  private final Upstreams upstreams;
  private final CallListener listener;
  private final RecentCalls recent;
  private final TokenCounter tokens;
  private final ShadowReport shadows = new ShadowReport();
  private final CostMeter costs;
  private final Map<Thread, Loop> loops = new ConcurrentHashMap<>();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final CallerRoom room = new CallerRoom(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  private final Optional<TrustOptions> trusted;
  private volatile boolean draining;

  /**
   * On a ground.
   *
   * @param listener is told the story of each call
   */
  public ModelProxy(
      Ground ground, Upstreams upstreams, TokenCounter tokens, CallListener listener) {
    this.ground = ground;
    this.upstreams = upstreams;
    this.tokens = tokens;
    this.listener = listener;
    this.recent = new RecentCalls(ground.setup().time());
    this.costs = ground.setup().costs();
    var authorities = ground.setup().providers().trusted();
    this.trusted =
        authorities.isUsual()
            ? Optional.empty()
            : Optional.of(TrustOptions.wrap(authorities.managers()));
  }

  /**
   * Where a request goes.
   *
   * @param uri the path and query that the provider is asked for
   * @param path the path alone
   * @param provider that the client has named itself, if so
   * @param beside what its lanes are called beside the models, for paths with limits of their own
   */
  record Way(Dialect dialect, String uri, String path, Optional<String> provider, String beside) {
    boolean isAnthropic() {
      return dialect == Dialect.ANTHROPIC;
    }

    /** Whether it is a call to a model; everything else goes at once. */
    boolean isPaced(HttpMethod method, @Nullable String contentType) {
      return method.equals(HttpMethod.POST)
          && contentType != null
          && contentType.toLowerCase(Locale.ROOT).startsWith("application/json")
          && !path.startsWith("/v1/messages/batches")
          && !path.startsWith("/v1/batches")
          && !path.startsWith("/v1/files");
    }
  }

  /**
   * A provider that is asked.
   *
   * @param model that is asked there, if not the client's
   */
  record Asked(Upstream upstream, Optional<String> model) {}

  @Override
  public List<Mount> mounts() {
    return List.of(
        new Mount("/v1/", Access.CALLERS, this::answer),
        new Mount("/anthropic/", Access.CALLERS, this::answer),
        new Mount("/openai/", Access.CALLERS, this::answer),
        new Mount("/to/", Access.CALLERS, this::answer),
        new Mount("/admin/shadow", Access.ADMINISTRATORS, this::shadows),
        new Mount("/explain/", Access.CALLERS_AND_ADMINISTRATORS, this::explain));
  }

  private void answer(HttpServerRequest request, Caller caller) {
    var way = way(request);
    if (way.isEmpty()) {
      JsonError.answer(
          request,
          404,
          "not_found_error",
          "there is no such provider; /to/NAME/ works with "
              + String.join(", ", upstreams.names()));
      return;
    }
    new Turn(this, loop(), request, caller, way.get()).begin();
  }

  /** What belongs to the event loop on which this is asked. */
  private Loop loop() {
    return loops.computeIfAbsent(Thread.currentThread(), own -> new Loop(ground.vertx(), trusted));
  }

  private Optional<Way> way(HttpServerRequest request) {
    var path = String.valueOf(request.path());
    var uri = request.uri();
    int query = uri.indexOf('?');
    var rest = query < 0 ? "" : uri.substring(query);
    if (path.startsWith("/to/")) {
      int end = path.indexOf('/', 4);
      var name = path.substring(4, end < 0 ? path.length() : end);
      return upstreams
          .named(name)
          .map(
              found ->
                  way(
                      found.dialect(),
                      end < 0 ? "/" : path.substring(end),
                      rest,
                      Optional.of(name)));
    }
    if (path.startsWith("/anthropic/")) {
      return Optional.of(way(Dialect.ANTHROPIC, path.substring(10), rest, Optional.empty()));
    }
    if (path.startsWith("/openai/")) {
      return Optional.of(way(Dialect.OPENAI, path.substring(7), rest, Optional.empty()));
    }
    boolean anthropic =
        path.equals(MESSAGES)
            || path.startsWith(MESSAGES + "/")
            || request.headers().contains("anthropic-version");
    return Optional.of(
        way(anthropic ? Dialect.ANTHROPIC : Dialect.OPENAI, path, rest, Optional.empty()));
  }

  private static Way way(Dialect dialect, String path, String query, Optional<String> provider) {
    return new Way(dialect, path + query, path, provider, path.equals(COUNT) ? "#count" : "");
  }

  private void explain(HttpServerRequest request, Caller caller) {
    var path = String.valueOf(request.path());
    var story = recent.explain(path.substring("/explain/".length()), caller);
    if (story.isPresent()) {
      request
          .response()
          .putHeader("content-type", "application/json")
          .putHeader("cache-control", "no-store")
          .end(story.get().encodePrettily() + "\n");
    } else {
      JsonError.answer(
          request,
          404,
          "not_found_error",
          "there is no recent call with this id; replies carry it as x-flyball-id");
    }
  }

  private void shadows(HttpServerRequest request, Caller caller) {
    request
        .response()
        .putHeader("content-type", "application/json")
        .putHeader("cache-control", "no-store")
        .end(shadows.json().encodePrettily() + "\n");
  }

  // ---- what turns ask for ----

  /** What pacing would have done, where requests go at once. */
  ShadowReport shadows() {
    return shadows;
  }

  ServeRules rules() {
    return upstreams.rules();
  }

  Flyball flyball() {
    return ground.flyball();
  }

  Time time() {
    return ground.setup().time();
  }

  TokenCounter tokens() {
    return tokens;
  }

  Optional<Price> price(String provider, String model) {
    return costs.price(provider, model, time().wall());
  }

  Estimate estimate(long input, long mostOutput, Optional<Price> price) {
    var tokens = Estimate.of(input, Math.max(0, mostOutput));
    if (price.isEmpty()) {
      return tokens;
    }
    long longest = mostOutput >= 0 ? mostOutput : price.get().limits().maxOutput().orElse(16_384);
    var known = Estimate.of(input, mostOutput >= 0 ? mostOutput : 0);
    // Who has no price for writing to the cache takes nothing more for it.
    return price
        .get()
        .most(input, longest, true)
        .or(() -> price.get().most(input, longest, false))
        .map(known::costingAtMost)
        .orElse(known);
  }

  /** Who is asked for a model, one after the other. */
  List<Asked> asked(Way way, String model) {
    if (way.provider().isPresent()) {
      return upstreams
          .named(way.provider().get())
          .map(found -> List.of(new Asked(found, Optional.empty())))
          .orElse(List.of());
    }
    var all = new ArrayList<Asked>(1);
    for (var target : model.isEmpty() ? List.<ServeRules.Target>of() : rules().targets(model)) {
      upstreams
          .named(target.provider())
          .filter(found -> found.dialect() == way.dialect())
          .ifPresent(found -> all.add(new Asked(found, target.model())));
    }
    if (all.isEmpty()) {
      upstreams
          .usual(way.dialect())
          .ifPresent(found -> all.add(new Asked(found, Optional.empty())));
    }
    return all;
  }

  String missing(Way way) {
    return upstreams.missing(way.dialect());
  }

  /** The room that requests take. */
  CallerRoom room() {
    return room;
  }

  void begins() {
    inFlight.incrementAndGet();
  }

  void ended() {
    inFlight.decrementAndGet();
  }

  boolean isDraining() {
    return draining;
  }

  /** The name of a call, which nobody can guess who was not told. */
  String nextId() {
    return loop().nextId();
  }

  /** Spread by a fifth, so that those who were refused together do not come back together. */
  Duration jittered(Duration wait) {
    return wait.plus(wait.dividedBy(1_000).multipliedBy(ThreadLocalRandom.current().nextInt(200)));
  }

  /** Begins the story of a call, for those who will ask. */
  RecentCalls.Story remember(ProxiedCall call) {
    return recent.begin(call);
  }

  void told(ProxiedCall call, CallStep step) {
    listener.told(call, step);
  }

  // ---- its life ----

  /** How many bytes of bodies are held by requests that wait or are sent. */
  public long heldBytes() {
    return room.heldBytes();
  }

  @Override
  public int inFlight() {
    return inFlight.get();
  }

  @Override
  public void drain() {
    draining = true;
  }

  /** Cuts what is not over, so that whoever listens hears the end of it. */
  @Override
  public void close() {
    draining = true;
    var open = new CountDownLatch(loops.size());
    loops.values().forEach(loop -> loop.cutAll(open::countDown));
    try {
      open.await(LAST_CUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
