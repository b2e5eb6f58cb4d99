package dev.flyball.gateway.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A real browser with one page, driven over its DevTools protocol. */
final class Chromium implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Pattern ADDRESS = Pattern.compile("ws://(\\S+?)/\\S*");

  private final Process process;
  private final Path profile;
  private final HttpClient client;
  private final WebSocket socket;
  private final AtomicInteger numbers = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  private Chromium(Process process, Path profile, HttpClient client, URI page) {
    this.process = process;
    this.profile = profile;
    this.client = client;
    this.socket =
        client
            .newWebSocketBuilder()
            .buildAsync(page, new Listener())
            .orTimeout(60, TimeUnit.SECONDS)
            .join();
    for (var part : List.of("Page", "Runtime", "Log", "Network")) {
      send(part + ".enable", JSON.createObjectNode());
    }
  }

  /** The program, installed if it is not there and that is possible. */
  static Optional<Path> program() throws IOException, InterruptedException {
    var found = find();
    if (found.isEmpty() && Files.isExecutable(Path.of("/usr/bin/apt-get"))) {
      for (var command :
          List.of(
              List.of("apt-get", "update"),
              List.of("apt-get", "install", "-y", "--no-install-recommends", "chromium"))) {
        var install = new ProcessBuilder(command).redirectErrorStream(true);
        install.environment().put("DEBIAN_FRONTEND", "noninteractive");
        var running = install.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        if (!running.waitFor(5, TimeUnit.MINUTES)) {
          running.destroyForcibly();
        }
      }
      found = find();
    }
    return found;
  }

  private static Optional<Path> find() {
    return List.of("chromium", "chromium-browser", "google-chrome").stream()
        .map(name -> Path.of("/usr/bin", name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static Chromium start(Path program) throws IOException, InterruptedException {
    var profile = Files.createTempDirectory("flyball-browser");
    var process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-features=BackForwardCache",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    var client = HttpClient.newHttpClient();
    try {
      return new Chromium(process, profile, client, page(client, address(process)));
    } catch (IOException | InterruptedException | RuntimeException failed) {
      process.destroyForcibly();
      client.close();
      throw failed;
    }
  }

  private static String address(Process process) throws IOException {
    var reader =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    for (var line = reader.readLine(); line != null; line = reader.readLine()) {
      var found = ADDRESS.matcher(line);
      if (found.find()) {
        Thread.ofVirtual().start(() -> drain(reader));
        return found.group(1);
      }
    }
    throw new IOException("the browser has ended before it could be driven");
  }

  private static void drain(BufferedReader reader) {
    try {
      // Nobody reads what it mutters.
      reader.transferTo(Writer.nullWriter());
    } catch (IOException ended) {
      return;
    }
  }

  private static URI page(HttpClient client, String address)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create("http://" + address + "/json")).build();
    var list = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    for (var each : JSON.readTree(list)) {
      if (each.path("type").asText().equals("page")) {
        return URI.create(each.path("webSocketDebuggerUrl").asText());
      }
    }
    throw new IOException("the browser has no page");
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder parts = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      parts.append(data);
      if (last) {
        heard(parts.toString());
        parts.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private void heard(String text) {
    JsonNode message;
    try {
      message = JSON.readTree(text);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    if (message.has("id")) {
      var waiting = open.remove(message.get("id").asInt());
      if (waiting != null) {
        waiting.complete(message);
      }
      return;
    }
    var params = message.path("params");
    switch (message.path("method").asText()) {
      case "Runtime.exceptionThrown" -> complaints.add(params.at("/exceptionDetails").toString());
      case "Log.entryAdded" -> {
        if (params.at("/entry/level").asText().equals("error")) {
          complaints.add(
              params.at("/entry/text").asText() + " " + params.at("/entry/url").asText());
        }
      }
      case "Network.requestWillBeSent" -> requests.add(params.at("/request/url").asText());
      default -> {}
    }
  }

  private JsonNode send(String method, ObjectNode params) {
    int id = numbers.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    open.put(id, answer);
    var message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", params);
    try {
      socket.sendText(message.toString(), true).get(60, TimeUnit.SECONDS);
      return answer.get(LONG.toSeconds(), TimeUnit.SECONDS).path("result");
    } catch (ExecutionException | TimeoutException failed) {
      throw new IllegalStateException(method + " had no answer", failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** The size of the window, and whether the system is dark. */
  void window(int width, int height, boolean dark) {
    send(
        "Emulation.setDeviceMetricsOverride",
        JSON.createObjectNode()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", width < 500));
    var media = JSON.createObjectNode();
    media
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", dark ? "dark" : "light");
    send("Emulation.setEmulatedMedia", media);
  }

  /** Goes to an address, with nothing kept from before. */
  void open(URI address) {
    send("Page.navigate", JSON.createObjectNode().put("url", "about:blank"));
    complaints.clear();
    requests.clear();
    send("Page.navigate", JSON.createObjectNode().put("url", address.toString()));
  }

  /** What an expression comes to. */
  JsonNode eval(String expression) {
    var result =
        send(
            "Runtime.evaluate",
            JSON.createObjectNode()
                .put("expression", expression)
                .put("returnByValue", true)
                .put("awaitPromise", true)
                .put("allowUnsafeEvalBlockedByCSP", false)
                .put("userGesture", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + result.get("exceptionDetails"));
    }
    return result.at("/result/value");
  }

  /** Waits until an expression is true. */
  void await(String expression) throws InterruptedException {
    long end = System.nanoTime() + LONG.toNanos();
    while (!eval("Boolean(" + expression + ")").asBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "never became true: "
                + expression
                + "\nthe page says: "
                + eval("document.body.innerText.slice(0, 2000)").asText()
                + "\ncomplaints: "
                + complaints);
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** Presses a key, as somebody would. */
  void press(String key) {
    for (var type : List.of("keyDown", "keyUp")) {
      var event = JSON.createObjectNode().put("type", type).put("key", key);
      if (type.equals("keyDown")) {
        event.put("text", key);
      }
      send("Input.dispatchKeyEvent", event);
    }
  }

  void screenshot(Path file) throws IOException {
    var shot = send("Page.captureScreenshot", JSON.createObjectNode().put("format", "png"));
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, Base64.getDecoder().decode(shot.path("data").asText()));
  }

  /** What went wrong in the page: errors, and what its policy did not allow. */
  List<String> complaints() {
    return new ArrayList<>(complaints);
  }

  /** The addresses that the page has asked. */
  List<String> requests() {
    return new ArrayList<>(requests);
  }

  @Override
  public void close() throws IOException {
    socket.abort();
    client.shutdownNow();
    var children = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    children.forEach(ProcessHandle::destroyForcibly);
    try (var files = Files.walk(profile)) {
      for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException busy) {
      // A helper of the browser may still write; the folder is a temporary one.
      return;
    }
  }
}
