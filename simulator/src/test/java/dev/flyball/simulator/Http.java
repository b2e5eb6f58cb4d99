package dev.flyball.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

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
    if (path.startsWith("/__sim/")) {
      request.header("content-type", "application/json");
    }
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

  private HttpRequest.Builder anthropic(String body) {
    return HttpRequest.newBuilder(root.resolve("/v1/messages"))
        .headers("x-api-key", "key", "anthropic-version", "2023-06-01")
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  /** A body as it came. */
  record Bytes(HttpResponse<byte[]> response) {
    byte[] body() {
      return response.body();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }
  }

  Bytes bytes(String body) throws IOException, InterruptedException {
    return new Bytes(CLIENT.send(anthropic(body).build(), HttpResponse.BodyHandlers.ofByteArray()));
  }

  CompletableFuture<HttpResponse<String>> later(String body) {
    return CLIENT.sendAsync(anthropic(body).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** A reply that is read bit by bit. */
  record Stalled(InputStream in, StringBuilder read) {
    /** Reads until this has come. */
    String read(String until) throws IOException {
      while (read.indexOf(until) < 0) {
        int next = in.read();
        if (next < 0) {
          throw new EOFException(read.toString());
        }
        read.append((char) next);
      }
      return read.toString();
    }

    String rest() throws IOException {
      return read + new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    void leave() throws IOException {
      in.close();
    }
  }

  /** By the model: a Claude is asked for a message, another for a chat. */
  Stalled stalled(String body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        body.contains("claude")
            ? anthropic(body)
            : HttpRequest.newBuilder(root.resolve("/v1/chat/completions"))
                .header("authorization", "Bearer key")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    return new Stalled(
        CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()).body(),
        new StringBuilder());
  }

  /** A reply letter by letter, as far as it came. */
  static String raw(Simulator simulator, String body) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), simulator.port())) {
      String request =
          "POST /v1/messages HTTP/1.1\r\n"
              + "host: localhost\r\n"
              + "x-api-key: key\r\n"
              + "anthropic-version: x\r\n"
              + "content-length: %d\r\nconnection: close\r\n\r\n%s".formatted(body.length(), body);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
