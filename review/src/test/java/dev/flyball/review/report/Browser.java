package dev.flyball.review.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A real browser without a window, which is driven by its own protocol. */
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Process process;
  private final Path profile;
  private final HttpClient client;
  private final WebSocket socket;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
  private final List<JsonNode> events = new CopyOnWriteArrayList<>();

  private Browser(Process process, Path profile, HttpClient client, URI page) {
    this.process = process;
    this.profile = profile;
    this.client = client;
    this.socket =
        client
            .newWebSocketBuilder()
            .buildAsync(page, new Listener())
            .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .join();
  }

  /** What comes from the browser. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        try {
          var node = JSON.readTree(text.toString());
          text.setLength(0);
          var waiting = node.has("id") ? open.remove(node.path("id").asInt()) : null;
          if (waiting != null) {
            waiting.complete(node);
          } else {
            events.add(node);
          }
        } catch (IOException garbled) {
          throw new IllegalStateException(garbled);
        }
      }
      from.request(1);
      return CompletableFuture.completedFuture(null);
    }
  }

  /** The program, installed if this machine lets us; empty if there is none. */
  static Optional<Path> program() throws IOException, InterruptedException {
    var found = onPath();
    if (found.isEmpty() && Files.isExecutable(Path.of("/usr/bin/apt-get"))) {
      new ProcessBuilder(
              "sh",
              "-c",
              "apt-get update -q && apt-get install -q -y --no-install-recommends chromium")
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor(5, TimeUnit.MINUTES);
      found = onPath();
    }
    return found;
  }

  private static Optional<Path> onPath() {
    for (var folder :
        Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1)) {
      for (var name : List.of("chromium", "chromium-browser", "google-chrome")) {
        var file = Path.of(folder, name);
        if (Files.isExecutable(file)) {
          return Optional.of(file);
        }
      }
    }
    return Optional.empty();
  }

  static Browser start(Path program) throws IOException, InterruptedException {
    var profile = Files.createTempDirectory("flyball-browser-");
    var process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    var port = profile.resolve("DevToolsActivePort");
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(port) || Files.size(port) == 0) {
      if (System.nanoTime() > end || !process.isAlive()) {
        process.destroyForcibly();
        throw new IOException("the browser did not start");
      }
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
    var client = HttpClient.newHttpClient();
    var list =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + Files.readAllLines(port).getFirst() + "/json"))
            .build();
    for (; ; ) {
      for (var target :
          JSON.readTree(client.send(list, HttpResponse.BodyHandlers.ofString()).body())) {
        if (target.path("type").asText().equals("page")) {
          var page = URI.create(target.path("webSocketDebuggerUrl").asText());
          return new Browser(process, profile, client, page);
        }
      }
      if (System.nanoTime() > end) {
        process.destroyForcibly();
        throw new IOException("the browser has no page");
      }
    }
  }

  /** Asks it to do something and waits until it is done. */
  JsonNode ask(String method, ObjectNode parameters) {
    int id = ids.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    open.put(id, answer);
    var message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", parameters);
    socket.sendText(message.toString(), true).join();
    var node = answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    if (node.has("error")) {
      throw new IllegalStateException(method + ": " + node.path("error"));
    }
    return node.path("result");
  }

  static ObjectNode with() {
    return JSON.createObjectNode();
  }

  /** Shows a page, and waits until all of it is there. */
  void show(Path page) throws InterruptedException {
    ask("Log.enable", with());
    ask("Runtime.enable", with());
    ask("Page.enable", with());
    ask("Page.navigate", with().put("url", page.toUri().toString()));
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!evaluate(
            "document.readyState === 'complete' && location.href !== 'about:blank' ? 'yes' : 'no'")
        .equals("yes")) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the page did not load");
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** What an expression is, as text. */
  String evaluate(String expression) {
    var result =
        ask("Runtime.evaluate", with().put("expression", expression).put("returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(result.path("exceptionDetails").toString());
    }
    return result.path("result").path("value").asText();
  }

  void press(String key) {
    for (var type : List.of("keyDown", "keyUp")) {
      var event = with().put("type", type).put("key", key);
      if (key.length() == 1 && type.equals("keyDown")) {
        event.put("text", key);
      }
      ask("Input.dispatchKeyEvent", event);
    }
  }

  void resize(int width, int height, boolean phone) {
    ask(
        "Emulation.setDeviceMetricsOverride",
        with()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", phone));
  }

  void dark(boolean wanted) {
    var parameters = with();
    parameters
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", wanted ? "dark" : "light");
    ask("Emulation.setEmulatedMedia", parameters);
  }

  byte[] screenshot() {
    return Base64.getDecoder()
        .decode(ask("Page.captureScreenshot", with().put("format", "png")).path("data").asText());
  }

  byte[] pdf() {
    return Base64.getDecoder().decode(ask("Page.printToPDF", with()).path("data").asText());
  }

  /** What it complained of: scripts that failed, and whatever the page's policy kept out. */
  List<String> complaints() {
    var all = new ArrayList<String>();
    for (var event : events) {
      var method = event.path("method").asText();
      if (method.equals("Runtime.exceptionThrown")
          || (method.equals("Log.entryAdded")
              && event.path("params").path("entry").path("level").asText().equals("error"))) {
        all.add(event.path("params").toString());
      }
    }
    return all;
  }

  @Override
  public void close() {
    socket.abort();
    client.shutdownNow();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    try (var all = Files.walk(profile)) {
      all.sorted(Comparator.reverseOrder()).forEach(it -> it.toFile().delete());
    } catch (IOException | UncheckedIOException busy) {
      // It may still be written to; the system clears its folder of temporary files.
      return;
    }
  }
}
