package dev.flyball.forge;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Git over HTTP, by Git's own program for it. */
final class SmartHttp {
  private SmartHttp() {}

  static void serve(Forge forge, HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    int end = path.indexOf(".git/");
    var git = forge.repositories.get(path.substring(1, end));
    if (git == null) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    var builder = new ProcessBuilder("git", "http-backend");
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    builder
        .environment()
        .putAll(
            Map.of(
                "GIT_PROJECT_ROOT", git.folder().resolve(".git").toString(),
                "GIT_HTTP_EXPORT_ALL", "1",
                "GIT_CONFIG_NOSYSTEM", "1",
                "REQUEST_METHOD", exchange.getRequestMethod(),
                "PATH_INFO", path.substring(end + 4),
                "QUERY_STRING",
                    Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""),
                "CONTENT_TYPE",
                    Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"))
                        .orElse(""),
                "GIT_PROTOCOL",
                    Optional.ofNullable(exchange.getRequestHeaders().getFirst("Git-Protocol"))
                        .orElse(""),
                "HTTP_CONTENT_ENCODING",
                    Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Encoding"))
                        .orElse("")));
    var process = builder.start();
    var body = exchange.getRequestBody().readAllBytes();
    try (var in = process.getOutputStream()) {
      in.write(body);
    }
    var out = process.getInputStream();
    var line = new ByteArrayOutputStream();
    int status = 200;
    while (true) {
      int next = out.read();
      if (next < 0) {
        break;
      }
      if (next != '\n') {
        line.write(next);
        continue;
      }
      var text = line.toString(StandardCharsets.ISO_8859_1).strip();
      line.reset();
      if (text.isEmpty()) {
        break;
      }
      int colon = text.indexOf(':');
      var name = text.substring(0, colon);
      var value = text.substring(colon + 1).strip();
      if (name.equalsIgnoreCase("Status")) {
        status = Integer.parseInt(value.substring(0, 3));
      } else {
        exchange.getResponseHeaders().set(name, value);
      }
    }
    var all = out.readAllBytes();
    exchange.sendResponseHeaders(status, all.length == 0 ? -1 : all.length);
    if (all.length > 0) {
      exchange.getResponseBody().write(all);
    }
  }
}
