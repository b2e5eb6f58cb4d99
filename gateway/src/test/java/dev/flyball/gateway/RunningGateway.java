package dev.flyball.gateway;

import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.llm.TrustedAuthorities;
import dev.flyball.run.ProviderChoice;
import dev.flyball.run.RunSetup;
import dev.flyball.run.config.ConfigFiles;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A gateway before a simulated account, and a client that asks it. */
final class RunningGateway implements AutoCloseable {
  static final String CHAT =
      "{\"model\":\"gpt-5.4\",\"max_tokens\":20,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
  static final String STREAMED = CHAT.replace("{\"model\"", "{\"stream\":true,\"model\"");

  final Simulator simulator;
  final Gateway gateway;
  final HttpClient client = HttpClient.newHttpClient();
  private final RunSetup setup;

  private RunningGateway(Simulator simulator, RunSetup setup, Gateway gateway) {
    this.simulator = simulator;
    this.setup = setup;
    this.gateway = gateway;
  }

  static RunningGateway before(Settings account) throws IOException {
    return before(account, settings -> settings, Map.of());
  }

  /** With a file of rules. */
  static RunningGateway with(Settings account, Path folder, String rules) throws IOException {
    var file = Files.writeString(folder.resolve("serve.yaml"), rules);
    return before(account, settings -> settings.rules(file), Map.of());
  }

  static RunningGateway before(
      Settings account, UnaryOperator<GatewaySettings> settings, Map<String, String> more)
      throws IOException {
    return before(account, settings, more, List.of());
  }

  static RunningGateway before(
      Settings account,
      UnaryOperator<GatewaySettings> settings,
      Map<String, String> more,
      List<GatewayPart.Maker> parts)
      throws IOException {
    var simulator = Simulator.start(account, 0);
    var state = Files.createTempDirectory("flyball-gateway");
    var environment = new HashMap<String, String>();
    environment.put("FLYBALL_STATE", state.toString());
    environment.put("OPENAI_BASE_URL", simulator.uri().toString());
    environment.put("ANTHROPIC_BASE_URL", simulator.uri().toString());
    environment.put("OPENAI_API_KEY", "sk-of-the-operator");
    environment.put("ANTHROPIC_API_KEY", "sk-ant-of-the-operator");
    environment.putAll(more);
    var setup = RunSetup.of(environment, ConfigFiles.NONE).open();
    var usual = GatewaySettings.USUAL.port(0).drain(Duration.ofSeconds(20));
    return new RunningGateway(simulator, setup, Gateway.start(settings.apply(usual), setup, parts));
  }

  /** Before a provider of another's, behind TLS. */
  static RunningGateway before(String provider, TrustedAuthorities trusted) throws IOException {
    return before(provider, trusted, Map.of());
  }

  static RunningGateway before(
      String provider, TrustedAuthorities trusted, Map<String, String> more) throws IOException {
    var simulator = Simulator.start(Settings.of("unlimited"), 0);
    var state = Files.createTempDirectory("flyball-gateway");
    var usual = ProviderChoice.open().at(provider);
    var choice =
        new ProviderChoice(
            usual.provider(),
            usual.baseUrl(),
            List.of(),
            Map.of(),
            Optional.empty(),
            usual.timeout(),
            trusted,
            false);
    var environment = new HashMap<>(more);
    environment.put("FLYBALL_STATE", state.toString());
    environment.put("OPENAI_API_KEY", "sk-of-the-operator");
    var setup = RunSetup.of(environment, ConfigFiles.NONE).provider(choice).open();
    var gateway = Gateway.start(GatewaySettings.USUAL.port(0), setup, List.of());
    return new RunningGateway(simulator, setup, gateway);
  }

  URI at(String path) {
    return gateway.uri().resolve(path);
  }

  HttpRequest.Builder post(String path, String body) {
    return HttpRequest.newBuilder(at(path))
        .header("content-type", "application/json")
        .timeout(Duration.ofSeconds(60))
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** A call to a model, whose answer comes later. */
  CompletableFuture<HttpResponse<String>> later(String body) {
    return client.sendAsync(
        post("/v1/chat/completions", body).build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(at(path)));
  }

  /** Waits for something that will be so soon, and fails if it is not. */
  static void until(BooleanSupplier so) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!so.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it did not come to that within a minute");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  boolean isReady() {
    try {
      return get("/readyz").statusCode() == 200;
    } catch (IOException | InterruptedException gone) {
      return false;
    }
  }

  List<LaneSnapshot> lanes() {
    return gateway.flyball().snapshot().lanes();
  }

  @Override
  public void close() {
    client.close();
    gateway.close();
    setup.close();
    simulator.close();
  }
}
