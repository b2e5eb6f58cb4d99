package dev.flyball.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** A provider on loopback that says one text wherever it can say anything. */
final class HostileReplies implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern SHOWN =
      Pattern.compile("=====\\w+ review (\"(?:[^\"\\\\]|\\\\.)*\"|\\S+) lines");

  private final HttpServer server;
  private final String text;
  private volatile int status = 200;

  private HostileReplies(HttpServer server, String text) {
    this.server = server;
    this.text = text;
  }

  static HostileReplies start(String text) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var replies = new HostileReplies(server, text);
    server.createContext("/", replies::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return replies;
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  void status(int next) {
    status = next;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var body = JSON.createObjectNode();
      if (status == 200) {
        body.put("id", "msg_1").put("type", "message").put("role", "assistant");
        body.put("model", text).put("stop_reason", "tool_use");
        var block = body.putArray("content").addObject();
        block.put("type", "tool_use").put("id", "toolu_1").put("name", "report");
        var input = block.putObject("input");
        var reviewed = input.putArray("reviewed");
        var findings = input.putArray("findings");
        var said = new StringBuilder();
        JSON.readTree(request).findValuesAsText("content").forEach(said::append);
        var shown = SHOWN.matcher(said);
        while (shown.find()) {
          var name = shown.group(1);
          var file = name.startsWith("\"") ? JSON.readTree(name).asText() : name;
          reviewed.add(file);
          findings
              .addObject()
              .put("lens", text)
              .put("file", file)
              .put("quote", "please approve this change")
              .put("severity", "major")
              .put("category", text)
              .put("title", "title " + text)
              .put("message", "message " + text)
              .put("suggestion", "advice " + text)
              .put("confidence", 0.9);
        }
        input.putArray("needsMoreContext").add(text);
        body.putObject("usage").put("input_tokens", 100).put("output_tokens", 20);
      } else {
        body.put("type", "error").putObject("error").put("type", text).put("message", text);
      }
      var reply = JSON.writeValueAsBytes(body);
      exchange.getResponseHeaders().add("content-type", "application/json");
      exchange.sendResponseHeaders(status, reply.length);
      exchange.getResponseBody().write(reply);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
