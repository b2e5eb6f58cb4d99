package dev.flyball.gateway;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.RetryPolicy;
import dev.flyball.gateway.http.Access;
import dev.flyball.gateway.http.AccessCheck;
import dev.flyball.gateway.http.CallListener;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.ConnectionWatch;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.HostCheck;
import dev.flyball.gateway.http.HttpRoutes;
import dev.flyball.gateway.http.JsonError;
import dev.flyball.gateway.http.Mount;
import dev.flyball.gateway.http.ProxiedCall;
import dev.flyball.gateway.proxy.ModelProxy;
import dev.flyball.gateway.proxy.ServeRules;
import dev.flyball.gateway.proxy.Upstreams;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.BadSettings;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.RunSetup;
import dev.flyball.run.config.ConfigRefused;
import dev.flyball.scheduler.Flyball;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The front door: a running server whose address replaces the provider's. */
public final class Gateway implements AutoCloseable {
  private static final int LARGEST_HEAD = 64 << 10;
  private static final int LARGEST_PART = 64 << 10;
  private static final long KEEP_LEARNED = 5_000;
  private static final long SWEEP = 1_000;
  private static final int FEWEST_CONNECTIONS = 64;
  private static final int MOST_CONNECTIONS = 50_000;
  private static final int OTHER_FILES = 256;
  private static final int MOST_STREAMS = 5_000;
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);
  private static final long LOOK = 20;
  private static final long LINGERS = 500;

  private final GatewaySettings settings;
  private final RunSetup setup;
  private final ConnectionWatch connections;
  private final Vertx vertx;
  private final Optional<Upstreams> upstreams;
  private final Flyball flyball;
  private final TokenCounter tokens;
  private final List<GatewayPart> parts;
  private final AtomicInteger port = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean draining;

  private Gateway(
      GatewaySettings settings,
      RunSetup setup,
      Optional<Upstreams> upstreams,
      List<GatewayPart.Maker> makers) {
    this.settings = settings;
    this.setup = setup;
    this.upstreams = upstreams;
    var learned = setup.learned();
    this.tokens = new TokenCounter(learned.tokens());
    var builder =
        Flyball.builder()
            .time(setup.time())
            .profiles(lane -> upstreams.map(all -> all.profile(lane)).orElse(LaneProfile.UNKNOWN))
            .memory(learned.lanes())
            .retries(RetryPolicy.USUAL)
            .mostWaiting(upstreams.map(Upstreams::rules).orElse(ServeRules.USUAL).maxQueue())
            .refuseWhileResting();
    setup.sharedLimit().ifPresent(builder::sharedLimit);
    this.flyball = builder.build();
    // Of Netty's allocators the one that is cheapest for large bodies, if nobody wants another.
    System.getProperties().putIfAbsent("io.netty.allocator.type", "pooled");
    var options = new VertxOptions(new JsonObject());
    options.setEventLoopPoolSize(settings.loops()).setWorkerPoolSize(4);
    options.getFileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
    this.connections = new ConnectionWatch(setup.time()::nanos, mostConnections());
    this.vertx = Vertx.builder().with(options).withTransport(connections).build();
    var ground = new GatewayPart.Ground(vertx, setup, flyball);
    var all = new ArrayList<GatewayPart>();
    makers.forEach(maker -> all.add(maker.on(ground)));
    var listeners = all.stream().flatMap(part -> part.listener().stream()).toList();
    upstreams.ifPresent(
        to -> all.add(new ModelProxy(ground, to, tokens, new Everybody(listeners))));
    this.parts = List.copyOf(all);
  }

  /** Each may need another one to a provider, and the process has files beside them. */
  private static int mostConnections() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? Math.clamp(
            (unix.getMaxFileDescriptorCount() - OTHER_FILES) / 2,
            FEWEST_CONNECTIONS,
            MOST_CONNECTIONS)
        : MOST_CONNECTIONS;
  }

  /** All who are told of calls. One that throws harms nobody. */
  private record Everybody(List<CallListener> listeners) implements CallListener {
    @Override
    public void told(ProxiedCall call, CallStep step) {
      for (var listener : listeners) {
        try {
          listener.told(call, step);
        } catch (RuntimeException broken) {
          System.getLogger("dev.flyball").log(System.Logger.Level.WARNING, "a listener", broken);
        }
      }
    }
  }

  /**
   * Starts one.
   *
   * @param makers of parts beside the proxy
   * @throws IOException if the port cannot be had
   * @throws BadSettings if the settings or the file of rules say what cannot be
   */
  public static Gateway start(
      GatewaySettings settings, RunSetup setup, List<GatewayPart.Maker> makers) throws IOException {
    return start(settings, setup, Optional.of(Upstreams.open(setup, rules(settings))), makers);
  }

  /** Starts one that forwards nothing: pages only. */
  static Gateway withoutProxy(
      GatewaySettings settings, RunSetup setup, List<GatewayPart.Maker> makers) throws IOException {
    return start(settings, setup, Optional.empty(), makers);
  }

  private static Gateway start(
      GatewaySettings settings,
      RunSetup setup,
      Optional<Upstreams> upstreams,
      List<GatewayPart.Maker> makers)
      throws IOException {
    var gateway = new Gateway(settings, setup, upstreams, makers);
    try {
      gateway.listen();
      return gateway;
    } catch (CompletionException taken) {
      gateway.close();
      throw new IOException(
          "port %d of %s is taken or not allowed: choose another with --port, or 0 for any free one"
              .formatted(settings.port(), settings.host()),
          taken);
    } catch (BadSettings wrong) {
      gateway.close();
      throw wrong;
    }
  }

  private static ServeRules rules(GatewaySettings settings) {
    try {
      var file = settings.rules();
      return file.isEmpty() ? ServeRules.USUAL : ServeRules.read(file.get());
    } catch (ConfigRefused wrong) {
      throw new BadSettings(String.valueOf(wrong.getMessage()));
    }
  }

  private void listen() {
    var mounts = new ArrayList<Mount>();
    mounts.add(
        new Mount(
            "/healthz", Access.EVERYBODY, (request, caller) -> request.response().end("ok\n")));
    mounts.add(
        new Mount(
            "/readyz",
            Access.EVERYBODY,
            (request, caller) -> {
              if (draining) {
                JsonError.answer(request, 503, "draining", "the server is shutting down");
              } else {
                request.response().end("ready\n");
              }
            }));
    parts.forEach(part -> mounts.addAll(part.mounts()));
    var access = parts.stream().flatMap(part -> part.access().stream()).reduce((a, b) -> b);
    if (access.isEmpty() && !settings.isLoopback()) {
      throw new BadSettings(
          "--host: at %s others can reach it, and there are no keys that they would need"
              .formatted(settings.host()));
    }
    var host = new HostCheck(settings.isLoopback());
    var routes =
        new HttpRoutes(
            mounts, access.orElse(AccessCheck.NO_KEYS), host, connections, () -> draining);
    vertx
        .deployVerticle(
            () -> new Loop(routes), new DeploymentOptions().setInstances(settings.loops()))
        .toCompletionStage()
        .toCompletableFuture()
        .join();
    vertx.setPeriodic(SWEEP, timer -> connections.sweep());
    vertx.setPeriodic(KEEP_LEARNED, timer -> vertx.executeBlocking(this::keepLearned));
  }

  private @Nullable Void keepLearned() {
    setup.keepNowAndThen(this::learned);
    return null;
  }

  private LearnedFile learned() {
    return new LearnedFile(flyball.memory(), tokens.learned());
  }

  /** One event loop with its server; all of them share the port. */
  private final class Loop extends VerticleBase {
    private final HttpRoutes routes;

    Loop(HttpRoutes routes) {
      this.routes = routes;
    }

    @Override
    public Future<HttpServer> start() {
      var options =
          new HttpServerOptions()
              .setHost(settings.host())
              // Below 0 it is any that is free, and the same for all loops.
              .setPort(settings.port() == 0 ? -1 : settings.port())
              .setAcceptBacklog(4_096)
              .setTcpNoDelay(true)
              .setMaxInitialLineLength(LARGEST_HEAD)
              .setMaxHeaderSize(LARGEST_HEAD)
              // As much as is read at once: each part of a body goes its way alone.
              .setMaxChunkSize(LARGEST_PART)
              // Requests that wait keep their streams; clients fail beyond what is allowed here.
              .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(MOST_STREAMS));
      parts.forEach(part -> part.adjust(options));
      return vertx
          .createHttpServer(options)
          .requestHandler(routes)
          .listen()
          .onSuccess(server -> port.set(server.actualPort()));
    }
  }

  /** The port it listens at. */
  public int port() {
    return port.get();
  }

  /** What a client uses instead of the provider's address. */
  public URI uri() {
    var host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    return URI.create("http://" + host + ":" + port());
  }

  /** The scheduler that all calls go through. */
  public Flyball flyball() {
    return flyball;
  }

  /**
   * Reads the file of rules again. No request is dropped; what waits goes on as it came.
   *
   * @return why the file is refused, if it is; then everything stays as it was
   */
  public Optional<String> reload() {
    try {
      var rules = rules(settings);
      var all = new ArrayList<Runnable>();
      upstreams.ifPresent(to -> all.add(to.ready(rules)));
      parts.forEach(part -> all.add(part.readAgain()));
      all.forEach(Runnable::run);
      return Optional.empty();
    } catch (BadSettings wrong) {
      return Optional.of(String.valueOf(wrong.getMessage()));
    }
  }

  /** How many requests are not over. */
  public int inFlight() {
    return parts.stream().mapToInt(GatewayPart::inFlight).sum();
  }

  /**
   * Starts nothing new, and waits until what was begun has ended, for as long as is allowed; then
   * what still waits is refused, so that its client tries elsewhere.
   *
   * @return how many requests had not ended then
   */
  public int drain() throws InterruptedException {
    draining = true;
    parts.forEach(GatewayPart::drain);
    await(settings.drain());
    int left = inFlight();
    flyball.drain();
    await(LAST_WORDS);
    linger();
    return left;
  }

  /**
   * Whoever has just been answered may be asking again on the same connection; they are told to go
   * elsewhere instead of being cut off.
   */
  private void linger() throws InterruptedException {
    new CountDownLatch(1).await(LINGERS, TimeUnit.MILLISECONDS);
    await(LAST_WORDS);
  }

  private void await(Duration longest) throws InterruptedException {
    var never = new CountDownLatch(1);
    long until = setup.time().nanos() + longest.toNanos();
    while (inFlight() > 0 && setup.time().nanos() < until) {
      never.await(LOOK, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    draining = true;
    parts.forEach(GatewayPart::drain);
    flyball.drain();
    // The proxy and the reviews first, then those who note how their calls ended.
    parts.reversed().forEach(GatewayPart::close);
    vertx.close().toCompletionStage().toCompletableFuture().join();
    setup.keep(learned());
  }
}
