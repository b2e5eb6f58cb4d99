package dev.flyball.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** A plain client that retries nothing. */
final class Http {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final URI root;

  Http(Simulator simulator) {
    this.root = simulator.uri();
  }

  /** A reply, read to its end. */
  record Reply(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    String text() {
      return response.body();
    }

    JsonNode json() {
      return Http.json(response.body());
    }
  }

  static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }

  Reply send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(root.resolve(path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return new Reply(CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString()));
  }

  /** Asks as a client of Anthropic does. */
  Reply message(String body, String... more) throws IOException, InterruptedException {
    List<String> headers =
        new ArrayList<>(List.of("x-api-key", "key", "anthropic-version", "2023-06-01"));
    headers.addAll(List.of(more));
    return send("POST", "/v1/messages", body, headers.toArray(String[]::new));
  }

  /** Asks as a client of OpenAI does. */
  Reply openai(String path, String body, String... more) throws IOException, InterruptedException {
    List<String> headers = new ArrayList<>(List.of("authorization", "Bearer key"));
    headers.addAll(List.of(more));
    return send("POST", path, body, headers.toArray(String[]::new));
  }

  static String prompt(String model, int maxTokens, String said) {
    return "{\"model\":\"%s\",\"max_tokens\":%d,\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}"
        .formatted(model, maxTokens, said);
  }

  static String stream(String prompt) {
    return prompt.replaceFirst("\\{", "{\"stream\":true,");
  }

  JsonNode stats() throws IOException, InterruptedException {
    return send("GET", "/__sim/stats", "").json();
  }

  List<JsonNode> ledger() throws IOException, InterruptedException {
    return send("GET", "/__sim/ledger", "").text().lines().map(Http::json).toList();
  }
}
