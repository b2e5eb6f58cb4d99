package dev.flyball.gateway.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flyball.gateway.http.Access;
import dev.flyball.gateway.http.Mount;
import dev.flyball.llm.Sha256;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of the page. They hold nothing of anybody's, so everybody may have them; what they show
 * is asked for with the admin token. Nothing is loaded from elsewhere, nothing runs that is not one
 * of these files, and no other page may put a frame around them. The charts come out of their own
 * jar; the build writes the version of it, which is a part of the path, beside this class.
 */
final class PageFiles {
  private static final String INDEX = "index.html";

  /** The charts of others: a file of a jar that is there for nothing else. */
  private static final String CHARTS = "chartjs.js";

  private static final List<String> NAMES =
      List.of(
          INDEX,
          "flyball.css",
          "mark.svg",
          "app.js",
          "calls.js",
          "chart.js",
          CHARTS,
          "dom.js",
          "format.js",
          "link.js",
          "now.js",
          "reviews.js",
          "runs.js",
          "tenants.js",
          "usage.js");
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private PageFiles() {}

  static List<Mount> mounts() {
    var mounts = new ArrayList<Mount>();
    for (var name : NAMES) {
      var file = read(name);
      var type = type(name);
      var tag = '"' + HexFormat.of().formatHex(Sha256.digest().digest(file), 0, 12) + '"';
      var content = Buffer.buffer(file);
      mounts.add(
          new Mount(
              name.equals(INDEX) ? "/" : "/ui/" + name,
              Access.EVERYBODY,
              (request, caller) -> answer(request, type, tag, content)));
    }
    return mounts;
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.'))) {
      case ".html" -> "text/html; charset=utf-8";
      case ".css" -> "text/css; charset=utf-8";
      case ".svg" -> "image/svg+xml";
      default -> "text/javascript; charset=utf-8";
    };
  }

  private static byte[] read(String name) {
    if (!name.equals(CHARTS)) {
      return bytes(name);
    }
    var version = new String(bytes("chartjs.version"), UTF_8).strip();
    return bytes("/META-INF/resources/webjars/chart.js/" + version + "/dist/chart.umd.min.js");
  }

  private static byte[] bytes(String place) {
    try (@Nullable InputStream in = PageFiles.class.getResourceAsStream(place)) {
      if (in == null) {
        throw new IOException("this build has no " + place);
      }
      return in.readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static void answer(HttpServerRequest request, String type, String tag, Buffer content) {
    var response =
        request
            .response()
            .putHeader("content-security-policy", POLICY)
            .putHeader("x-content-type-options", "nosniff")
            .putHeader("referrer-policy", "no-referrer")
            .putHeader("cross-origin-opener-policy", "same-origin")
            .putHeader("cross-origin-resource-policy", "same-origin")
            .putHeader("permissions-policy", "camera=(), microphone=(), geolocation=()")
            .putHeader("cache-control", "no-cache")
            .putHeader("etag", tag);
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      response.setStatusCode(405).putHeader("allow", "GET, HEAD").end();
    } else if (tag.equals(request.getHeader("if-none-match"))) {
      response.setStatusCode(304).end();
    } else {
      response.putHeader("content-type", type).end(content);
    }
  }
}
