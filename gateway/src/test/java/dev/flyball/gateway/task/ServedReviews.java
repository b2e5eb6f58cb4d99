package dev.flyball.gateway.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.gateway.Gateway;
import dev.flyball.gateway.GatewaySettings;
import dev.flyball.gateway.http.AccessCheck;
import dev.flyball.gateway.http.Caller;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.run.ProviderChoice;
import dev.flyball.run.RunSetup;
import dev.flyball.run.config.ConfigFiles;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A real server of reviews on a free port, and clients of it. */
final class ServedReviews implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final int PATIENCE = 60;

  final AtomicReference<TaskSettings> settings;
  final Flyball flyball;
  final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicReference<@Nullable ReviewPart> part = new AtomicReference<>();
  private final RunSetup setup;
  private final Gateway gateway;

  private ServedReviews(
      TaskSettings settings,
      ProviderChoice provider,
      Map<String, String> environment,
      Optional<TaskWork> work,
      Optional<AccessCheck> access)
      throws IOException {
    this.settings = new AtomicReference<>(settings);
    this.setup = RunSetup.of(environment, ConfigFiles.NONE).provider(provider).open();
    this.gateway =
        Gateway.start(
            GatewaySettings.USUAL.port(0),
            setup,
            List.of(
                ground -> {
                  var made = work.map(does -> scripted(ground, does)).orElseGet(() -> real(ground));
                  part.set(made);
                  return made;
                },
                ground -> new Door(access)));
    this.flyball = gateway.flyball();
  }

  /** With work that a test does. */
  static ServedReviews of(TaskSettings settings, TaskWork work) throws IOException {
    return new ServedReviews(settings, nobody(), Map.of(), Optional.of(work), Optional.empty());
  }

  /** The same for those with a key. */
  static ServedReviews guarded(TaskSettings settings, TaskWork work, AccessCheck check)
      throws IOException {
    return new ServedReviews(settings, nobody(), Map.of(), Optional.of(work), Optional.of(check));
  }

  /** With reviews as they are, asked of a provider at an address. */
  static ServedReviews real(TaskSettings settings, URI provider, Path state) throws IOException {
    return new ServedReviews(
        settings,
        ProviderChoice.of("anthropic").at(provider.toString()),
        Map.of("FLYBALL_STATE", state.toString()),
        Optional.empty(),
        Optional.empty());
  }

  /** Nothing is sent. */
  private static ProviderChoice nobody() {
    return ProviderChoice.of("anthropic").at("http://127.0.0.1:1");
  }

  private ReviewPart scripted(GatewayPart.Ground ground, TaskWork does) {
    var means =
        new Tasks.Means(
            does,
            WiderSlots.ALONE,
            Time.system(),
            RandomGenerator.of("L64X128MixRandom"),
            (id, broken) -> {});
    return ReviewPart.with(ground, means, settings::get);
  }

  private ReviewPart real(GatewayPart.Ground ground) {
    return ReviewPart.on(
        ground, new ReviewPart.Needs(settings::get, RuleChoices.NONE, WiderSlots.ALONE, "0"));
  }

  /** Whoever says who may come in. */
  private record Door(Optional<AccessCheck> check) implements GatewayPart {
    @Override
    public Optional<AccessCheck> access() {
      return check;
    }
  }

  /** Lets in those who say the word. */
  static AccessCheck word(String word) {
    return (request, wanted) ->
        ("Bearer " + word).equals(request.getHeader("authorization"))
            ? new AccessCheck.LetIn(Caller.ANYBODY)
            : new AccessCheck.TurnedAway(401, "secret reason of the door");
  }

  ReviewPart part() {
    var made = part.get();
    if (made == null) {
      throw new IllegalStateException("the server is not there");
    }
    return made;
  }

  int port() {
    return gateway.port();
  }

  URI at(String path) {
    return gateway.uri().resolve(path);
  }

  /** What a client was told first, and a way to read on. */
  record Answer(int status, HttpResponse<InputStream> response, BufferedReader reader)
      implements AutoCloseable {
    JsonNode json() throws IOException {
      return JSON.readTree(new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
    }

    Optional<String> header(String name) {
      return response.headers().firstValue(name);
    }

    /** The next event, without comments; empty at the end. */
    Optional<Told> next() throws IOException {
      var name = "";
      var data = "";
      for (var line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data = line.substring(6);
        } else if (line.isEmpty() && !name.isEmpty()) {
          return Optional.of(new Told(name, JSON.readTree(data)));
        }
      }
      return Optional.empty();
    }

    /** The next event of a name. */
    Told until(String name) throws IOException {
      for (var told = next(); told.isPresent(); told = next()) {
        if (told.get().name().equals(name)) {
          return told.get();
        }
      }
      throw new AssertionError("the stream has ended without " + name);
    }

    @Override
    public void close() throws IOException {
      response.body().close();
    }
  }

  /** An event. */
  record Told(String name, JsonNode data) {}

  Answer post(String body) throws IOException, InterruptedException {
    return post(HttpRequest.BodyPublishers.ofString(body), "application/json");
  }

  Answer post(HttpRequest.BodyPublisher body, String type, String... headers)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(at("/v1/reviews"))
            .header("content-type", type)
            .timeout(Duration.ofSeconds(PATIENCE))
            .POST(body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    var response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    return new Answer(
        response.statusCode(),
        response,
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
  }

  /** A request whose patch has this text. */
  static String patch(String text) {
    return JSON.createObjectNode().put("patch", text).toString();
  }

  Line line() {
    return line(Map.of());
  }

  /** A WebSocket. */
  Line line(Map<String, String> headers) {
    var line = new Line();
    var builder = client.newWebSocketBuilder();
    headers.forEach(builder::header);
    var address = URI.create("ws://127.0.0.1:" + port() + "/v1/reviews/ws");
    line.socket = builder.buildAsync(address, line).join();
    return line;
  }

  /** A client over WebSocket. */
  static final class Line implements WebSocket.Listener {
    final LinkedBlockingQueue<Told> told = new LinkedBlockingQueue<>();
    final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final StringBuilder part = new StringBuilder();
    @Nullable WebSocket socket;

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
      part.append(text);
      if (last) {
        try {
          var node = JSON.readTree(part.toString());
          told.add(new Told(node.path("event").asText(), node.path("data")));
        } catch (IOException garbled) {
          told.add(new Told("garbled", JSON.createObjectNode()));
        }
        part.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
      closed.complete(status);
      return CompletableFuture.completedStage(null);
    }

    @Override
    public void onError(WebSocket from, Throwable broken) {
      closed.complete(-1);
    }

    private WebSocket open() {
      var open = socket;
      if (open == null) {
        throw new IllegalStateException("it is not open yet");
      }
      return open;
    }

    void send(String text) {
      open().sendText(text, true).join();
    }

    void sendPart(String text, boolean last) {
      open().sendText(text, last).join();
    }

    void sendBinary(byte[] bytes) {
      open().sendBinary(ByteBuffer.wrap(bytes), true).join();
    }

    void details(String body) {
      send("{\"event\":\"task:details\",\"data\":" + body + "}");
    }

    void drop() {
      open().abort();
    }

    Told next() throws InterruptedException {
      var next = told.poll(PATIENCE, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("nothing was said");
      }
      return next;
    }

    Told until(String name) throws InterruptedException {
      for (; ; ) {
        var next = next();
        if (next.name().equals(name)) {
          return next;
        }
      }
    }

    /** The next, which says why not. */
    String refusal() throws InterruptedException {
      return until("error").data().path("error").path("code").asText();
    }
  }

  /** Waits until something holds. */
  static void until(BooleanSupplier holds) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it never was so");
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  void untilFree() throws InterruptedException {
    until(() -> part().counts().room().inFlight() == 0 && part().inFlight() == 0);
  }

  void drain() {
    part().drain();
  }

  @Override
  public void close() {
    gateway.close();
    setup.close();
    client.shutdownNow();
  }
}
