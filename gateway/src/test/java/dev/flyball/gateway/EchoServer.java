package dev.flyball.gateway;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** A provider that keeps what it was sent, and has one answer. */
final class EchoServer implements AutoCloseable {
  private static final String ANSWER =
      "{\"id\":\"x\",\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}";

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  EchoServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          var text = new StringBuilder();
          text.append(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " HTTP/1.1\n");
          exchange
              .getRequestHeaders()
              .forEach(
                  (name, values) ->
                      values.forEach(
                          value ->
                              text.append(name.toLowerCase(Locale.ROOT) + ": " + value + "\n")));
          text.append('\n');
          text.append(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          requests.add(text.toString());
          var body = ANSWER.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("content-type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  String uri() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<String> requests() {
    return requests;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
