package dev.flyball.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.gateway.http.Access;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.Mount;
import dev.flyball.run.RunSetup;
import dev.flyball.run.config.ConfigFiles;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GatewayTest {
  @Test
  void it_answers_at_its_port_and_its_parts_at_their_paths() throws Exception {
    try (var setup = setup();
        var gateway =
            Gateway.start(GatewaySettings.USUAL.port(0), setup, List.of(ground -> new Echo()))) {
      assertThat(status(gateway, "/healthz")).isEqualTo(200);
      assertThat(status(gateway, "/readyz")).isEqualTo(200);
      assertThat(status(gateway, "/echo/of/this")).isEqualTo(202);
      assertThat(status(gateway, "/secret")).isEqualTo(403);
      assertThat(status(gateway, "/nowhere")).isEqualTo(404);
      gateway.drain();
      assertThat(status(gateway, "/healthz")).isEqualTo(200);
      assertThat(status(gateway, "/readyz")).isEqualTo(503);
    }
  }

  private record Echo() implements GatewayPart {
    @Override
    public List<Mount> mounts() {
      return List.of(
          new Mount(
              "/echo/",
              Access.CALLERS,
              (request, caller) -> request.response().setStatusCode(202).end(caller.name())),
          new Mount(
              "/secret",
              Access.ADMINISTRATORS,
              (request, caller) -> request.response().end("never")));
    }
  }

  private static RunSetup setup() {
    return RunSetup.of(Map.of("OPENAI_API_KEY", "sk-x"), ConfigFiles.NONE).open();
  }

  private static int status(Gateway gateway, String path) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(gateway.uri().resolve(path)).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    }
  }
}
