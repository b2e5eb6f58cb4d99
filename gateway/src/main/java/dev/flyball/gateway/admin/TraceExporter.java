package dev.flyball.gateway.admin;

import dev.flyball.gateway.http.CallListener;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.ProxiedCall;
import dev.flyball.scheduler.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Traces of calls for OpenTelemetry, as OTLP over HTTP in JSON. Each call is a span, which goes on
 * the trace of its client if that has one, with a span below it for each time it waited and for
 * each attempt; attempts carry the attributes of the conventions for generative AI. What cannot be
 * handed over in time is left out, and no call waits for it.
 */
public final class TraceExporter implements GatewayPart, CallListener {
  private static final int ROOM = 8_192;
  private static final int AT_ONCE = 512;
  private static final long EVERY = 1_000;
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);
  private static final int LONGEST = 200;
  private static final int SERVER = 2;
  private static final int CLIENT = 3;
  private static final int INTERNAL = 1;
  private static final int FAILED = 2;
  private static final Pattern PARENT =
      Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

  /** A call that is not over. Its steps come one after the other. */
  private static final class Open {
    private final String trace;
    private final String parent;
    private final String span = id(8);
    private Instant waitsSince;
    private Instant sentAt = Instant.EPOCH;
    private String provider = "";
    private boolean sent;
    private boolean waits;

    Open(String trace, String parent, Instant began) {
      this.trace = trace;
      this.parent = parent;
      this.waitsSince = began;
    }
  }

  private final Time time;
  private final Vertx vertx;
  private final HttpClient client;
  private final TraceCollector collector;
  private final Consumer<String> warnings;
  private final Map<String, Open> open = new ConcurrentHashMap<>();
  private final BlockingQueue<JsonObject> spans = new ArrayBlockingQueue<>(ROOM);
  private final Set<Future<?>> underWay = ConcurrentHashMap.newKeySet();
  private final ReentrantLock handing = new ReentrantLock();
  private final AtomicLong leftOut = new AtomicLong();
  private final AtomicBoolean troubled = new AtomicBoolean();
  private final long timer;

  /** Hands over to a collector, once a second. */
  public TraceExporter(Ground ground, TraceCollector collector, Consumer<String> warnings) {
    this.time = ground.setup().time();
    this.vertx = ground.vertx();
    this.collector = collector;
    this.warnings = warnings;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions().setConnectTimeout((int) LAST_WORDS.toMillis()));
    this.timer = vertx.setPeriodic(EVERY, tick -> handOver());
  }

  @Override
  public Optional<CallListener> listener() {
    return Optional.of(this);
  }

  private static String id(int bytes) {
    var random = new byte[bytes];
    ThreadLocalRandom.current().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  @Override
  public void told(ProxiedCall call, CallStep step) {
    var now = time.wall();
    switch (step) {
      case CallStep.Queued queued -> {
        var known = begun(call);
        known.provider = queued.lane().provider();
        known.waits = true;
        known.waitsSince = now;
      }
      case CallStep.Waits waits -> {}
      case CallStep.Sent sent -> {
        var known = begun(call);
        known.provider = sent.lane().provider();
        if (known.waits && Duration.between(known.waitsSince, now).toMillis() > 0) {
          var why = sent.waited().keySet().stream().map(each -> each.name()).sorted();
          var attributes =
              new Attributes().put("flyball.waited_for", why.collect(Collectors.joining(", ")));
          offer(known, id(8), known.span, "wait", INTERNAL, known.waitsSince, now, attributes, "");
        }
        known.waits = false;
        known.sent = true;
        known.sentAt = now;
      }
      case CallStep.Answering answering -> {}
      case CallStep.Attempted tried -> attempted(call, begun(call), tried, now);
      case CallStep.Ended ended -> {
        ended(call, begun(call), ended, now);
        open.remove(call.id());
      }
    }
  }

  private Open begun(ProxiedCall call) {
    return open.computeIfAbsent(
        call.id(),
        id -> {
          var parent = PARENT.matcher(call.trace().orElse(""));
          return parent.matches()
              ? new Open(parent.group(1), parent.group(2), call.at())
              : new Open(id(16), "", call.at());
        });
  }

  private void attempted(ProxiedCall call, Open known, CallStep.Attempted tried, Instant now) {
    known.sent = false;
    known.waits = true;
    known.waitsSince = now;
    boolean answered = tried.message().isEmpty();
    var attributes =
        about(call, known)
            .put("http.response.status_code", tried.status())
            .put("flyball.attempt", tried.attempt())
            .put("flyball.lane", tried.lane().toString())
            .put("gen_ai.usage.input_tokens", tried.usage().prompt())
            .put("gen_ai.usage.output_tokens", tried.usage().output());
    if (!answered) {
      attributes.put("error.type", tried.status() > 0 ? "" + tried.status() : "no_reply");
    }
    tried.cost().ifPresent(cost -> attributes.put("flyball.cost_usd", cost.decimal()));
    var failure = answered ? "" : tried.message();
    offer(known, id(8), known.span, name(call), CLIENT, known.sentAt, now, attributes, failure);
  }

  private void ended(ProxiedCall call, Open known, CallStep.Ended ended, Instant now) {
    if (known.sent) {
      var attributes = about(call, known).put("error.type", "client_left");
      offer(
          known, id(8), known.span, name(call), CLIENT, known.sentAt, now, attributes, "cancelled");
    }
    var attributes =
        new Attributes()
            .put("http.request.method", call.method())
            .put("url.path", call.path())
            .put("http.response.status_code", ended.status())
            .put("flyball.id", call.id())
            .put("flyball.tenant", call.caller().name())
            .put("flyball.attempts", ended.attempts())
            .put("flyball.waited_ms", ended.waited().toMillis())
            .put("flyball.ending", ended.how().name().toLowerCase(Locale.ROOT))
            .put("gen_ai.request.model", call.model());
    var failure = ended.how() == CallStep.Ending.ANSWERED ? "" : ended.how().name();
    var name = call.method() + " " + call.path();
    offer(known, known.span, known.parent, name, SERVER, call.at(), now, attributes, failure);
  }

  private static Attributes about(ProxiedCall call, Open known) {
    return new Attributes()
        .put("gen_ai.operation.name", operation(call.path()))
        .put("gen_ai.provider.name", known.provider)
        .put("gen_ai.request.model", call.model());
  }

  private static String name(ProxiedCall call) {
    return operation(call.path()) + " " + call.model();
  }

  private static String operation(String path) {
    if (path.endsWith("/embeddings")) {
      return "embeddings";
    }
    return path.endsWith("/completions") && !path.endsWith("/chat/completions")
        ? "text_completion"
        : "chat";
  }

  /** The attributes of a span, as the protocol writes them. */
  private static final class Attributes {
    private final JsonArray all = new JsonArray();

    Attributes put(String key, String value) {
      var text = value.length() > LONGEST ? value.substring(0, LONGEST) : value;
      return value.isEmpty() ? this : add(key, "stringValue", text);
    }

    Attributes put(String key, long value) {
      return add(key, "intValue", Long.toString(value));
    }

    private Attributes add(String key, String type, String value) {
      var typed = new JsonObject().put(type, value);
      all.add(new JsonObject().put("key", key).put("value", typed));
      return this;
    }
  }

  private void offer(
      Open call,
      String span,
      String parent,
      String name,
      int kind,
      Instant from,
      Instant to,
      Attributes attributes,
      String failure) {
    var json =
        new JsonObject()
            .put("traceId", call.trace)
            .put("spanId", span)
            .put("name", name.substring(0, Math.min(LONGEST, name.length())))
            .put("kind", kind)
            .put("startTimeUnixNano", nanos(from))
            .put("endTimeUnixNano", nanos(to))
            .put("attributes", attributes.all);
    if (!parent.isEmpty()) {
      json.put("parentSpanId", parent);
    }
    if (!failure.isEmpty()) {
      json.put("status", new JsonObject().put("code", FAILED).put("message", cut(failure)));
    }
    if (!spans.offer(json)) {
      leftOut.incrementAndGet();
    }
  }

  private static String cut(String text) {
    return text.substring(0, Math.min(LONGEST, text.length()));
  }

  private static String nanos(Instant at) {
    return Long.toString(TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + Math.max(0, at.getNano()));
  }

  // ---- handing over ----

  private void handOver() {
    handing.lock();
    try {
      for (var batch = batch(); batch != null; batch = batch()) {
        var sent = send(batch);
        underWay.add(sent);
        sent.onComplete(done -> underWay.remove(sent));
      }
    } finally {
      handing.unlock();
    }
  }

  private @Nullable Buffer batch() {
    var some = new JsonArray();
    for (var next = spans.poll(); next != null; next = spans.poll()) {
      some.add(next);
      if (some.size() == AT_ONCE) {
        break;
      }
    }
    if (some.isEmpty()) {
      return null;
    }
    var service = new Attributes().put("service.name", collector.service());
    var scope = new JsonObject().put("name", "dev.flyball.gateway");
    var ofScope = new JsonObject().put("scope", scope).put("spans", some);
    var resource =
        new JsonObject()
            .put("resource", new JsonObject().put("attributes", service.all))
            .put("scopeSpans", new JsonArray().add(ofScope));
    return new JsonObject().put("resourceSpans", new JsonArray().add(resource)).toBuffer();
  }

  private Future<Integer> send(Buffer batch) {
    var to =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setAbsoluteURI(collector.address().toString())
            .setTimeout(LAST_WORDS.toMillis() * 5)
            .putHeader("content-type", "application/json");
    collector.headers().forEach(to::putHeader);
    return client
        .request(to)
        .compose(request -> request.send(batch))
        .compose(
            reply ->
                reply.statusCode() < 300
                    ? reply.end().map(reply.statusCode())
                    : Future.failedFuture("status " + reply.statusCode()))
        .onSuccess(well -> troubled.set(false))
        .onFailure(
            no -> {
              if (!troubled.getAndSet(true)) {
                warnings.accept("traces are lost, the collector does not take them");
              }
            });
  }

  /** How many spans were left out because the collector was too slow. */
  public long leftOut() {
    return leftOut.get();
  }

  /** Hands over what is left, and waits for a moment until all of it was taken. */
  @Override
  public void close() {
    vertx.cancelTimer(timer);
    handOver();
    try {
      Future.join(List.copyOf(underWay))
          .toCompletionStage()
          .toCompletableFuture()
          .get(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException no) {
      // Nobody takes them, and that was said.
      troubled.set(true);
    }
  }
}
