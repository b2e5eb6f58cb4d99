package dev.flyball.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A provider on loopback that keeps every byte it is sent. It says of everything that it is shown
 * that it looked at it and found nothing, and asks to see files that are none of its business.
 */
final class RecordingProvider implements AutoCloseable {
  /**
   * A request as it came.
   *
   * @param said what the messages of it say, without the escapes of JSON
   */
  record Heard(Map<String, List<String>> headers, String body, String said) {
    String key() {
      return headers.getOrDefault("X-api-key", List.of()).stream().findFirst().orElse("");
    }
  }

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NAME = "(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\\S+))";
  private static final Pattern SHOWN = Pattern.compile("(?m)^=====\\S+ review " + NAME + " lines");
  private static final Pattern SYMBOLS = Pattern.compile("(?m)^- " + NAME + ": (.*)");

  private final HttpServer server;
  private final List<Heard> heard = new CopyOnWriteArrayList<>();
  private final List<String> wanted = new CopyOnWriteArrayList<>();

  private RecordingProvider(HttpServer server) {
    this.server = server;
  }

  static RecordingProvider start() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var provider = new RecordingProvider(server);
    server.createContext("/", provider::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return provider;
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  List<Heard> heard() {
    return List.copyOf(heard);
  }

  /** Whether some request showed a text. */
  boolean wasShown(String text) {
    return heard.stream().anyMatch(each -> each.said().contains(text));
  }

  /** Asks for these files with every answer, and forgets what came before. */
  void begin(List<String> files) {
    heard.clear();
    wanted.clear();
    wanted.addAll(files);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var request = JSON.readTree(body);
      var said = new ArrayList<String>();
      texts(request, said);
      heard.add(new Heard(Map.copyOf(exchange.getRequestHeaders()), body, String.join("\n", said)));
      var reply = JSON.writeValueAsBytes(message(request, said));
      exchange.getResponseHeaders().add("content-type", "application/json");
      exchange.sendResponseHeaders(200, reply.length);
      exchange.getResponseBody().write(reply);
    }
  }

  private static void texts(JsonNode node, List<String> into) {
    if (node.isTextual()) {
      into.add(node.asText());
    }
    node.forEach(each -> texts(each, into));
  }

  private JsonNode message(JsonNode request, List<String> said) throws IOException {
    var message = JSON.createObjectNode();
    message.put("id", "msg_1").put("type", "message").put("role", "assistant");
    message.put("model", request.path("model").asText()).put("stop_reason", "tool_use");
    var block = message.putArray("content").addObject();
    block.put("type", "tool_use").put("id", "toolu_1").put("name", "report");
    var answer = block.putObject("input");
    var reviewed = answer.putArray("reviewed");
    for (var text : said) {
      var symbols = SYMBOLS.matcher(text);
      int list = text.lastIndexOf("## Symbols\n");
      if (list >= 0) {
        symbols.region(list, text.length());
        while (symbols.find()) {
          for (var symbol : symbols.group(3).split(", ", -1)) {
            reviewed
                .addObject()
                .put("file", name(symbols))
                .put("symbol", symbol)
                .put("answer", "OK");
          }
        }
      } else {
        var shown = SHOWN.matcher(text);
        while (shown.find()) {
          reviewed.add(name(shown));
        }
      }
    }
    answer.putArray("findings");
    var more = answer.putArray("needsMoreContext");
    wanted.forEach(more::add);
    message.putObject("usage").put("input_tokens", 100).put("output_tokens", 20);
    return message;
  }

  private static String name(Matcher found) throws IOException {
    return found.group(1) == null
        ? found.group(2)
        : JSON.readTree("\"" + found.group(1) + "\"").asText();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
