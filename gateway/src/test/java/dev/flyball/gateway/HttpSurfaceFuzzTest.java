package dev.flyball.gateway;

import static dev.flyball.gateway.RunningGateway.CHAT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.gateway.admin.AdminApi;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.task.ReviewPart;
import dev.flyball.gateway.task.TaskSettings;
import dev.flyball.gateway.task.WiderSlots;
import dev.flyball.gateway.tenant.AdminToken;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests that no client would send: bytes, heads, paths, chunks and JSON out of a seed. {@code
 * -Dfuzz=20000} is the long form, {@code -Dfuzz.seed=N} begins elsewhere.
 */
@Timeout(1_200)
final class HttpSurfaceFuzzTest {
  private static final int AT_ONCE = 16;
  private static final String TOKEN = "the-token-of-the-operator";
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3}) ");
  private static final Pattern THROWN =
      Pattern.compile("Exception|\\tat |java\\.|io\\.vertx|io\\.netty|dev\\.flyball|StackOverflow");
  private static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "BREW", "get");
  private static final List<String> PATHS =
      List.of(
          "/v1/chat/completions",
          "/v1/messages",
          "/v1/messages/count_tokens",
          "/v1/reviews",
          "/v1/reviews/ws",
          "/v1/models",
          "/v1/files",
          "/anthropic/v1/messages",
          "/openai/v1/embeddings",
          "/to/openai/v1/chat/completions",
          "/to/",
          "/to/nobody/v1/x",
          "/explain/0",
          "/explain/",
          "/metrics",
          "/healthz",
          "/readyz",
          "/openapi.json",
          "/",
          "/admin/state",
          "/admin/usage?range=%zz&by=\u00ff",
          "/admin/calls",
          "/admin/lanes/pause",
          "/admin/keys/revoke",
          "/admin/reload",
          "//v1//chat/completions",
          "/v1/../admin/state",
          "/v1/%2e%2e/%00",
          "*",
          "http://elsewhere.example/v1/models",
          "/v1/" + "x".repeat(5_000),
          "/?" + "&a=b".repeat(500));
  private static final List<String> HEADERS =
      List.of(
          "x-flyball-max-wait: -1s",
          "x-flyball-max-wait: 99999999999d",
          "x-flyball-max-wait: 1e400",
          "x-flyball-max-wait: 0",
          "x-flyball-priority: root",
          "x-flyball-priority: BULK",
          "authorization: Bearer",
          "authorization: Bearer " + TOKEN,
          "authorization: Basic \u0000",
          "authorization: Bearer flyball_" + "x".repeat(3_000),
          "x-api-key: \u00e9\u00ff",
          "content-type: application/json",
          "content-type: APPLICATION/JSON; charset=utf-7",
          "content-type: application/json-seq",
          "content-type: multipart/form-data; boundary=x",
          "content-encoding: gzip",
          "transfer-encoding: gzip, chunked",
          "accept-encoding: *",
          "expect: 100-continue",
          "expect: 999-never",
          "connection: upgrade, x-api-key",
          "upgrade: websocket",
          "upgrade: h2c",
          "http2-settings: AAAA",
          "sec-websocket-key: x",
          "sec-websocket-version: 13",
          "origin: http://evil.example",
          "origin: null",
          "traceparent: 00-zz-zz-01",
          "anthropic-version: \u0001",
          "cookie: " + "a=b; ".repeat(500),
          "x-long: " + "y".repeat(30_000),
          "x-longer: " + "z".repeat(80_000),
          "no colon here",
          ": no name",
          " folded",
          "content-length: -5",
          "content-length: 99999999999999999999",
          "content-length: 12",
          "te: trailers");

  private final ConcurrentLinkedQueue<String> thrown = new ConcurrentLinkedQueue<>();

  /** Everything that we say when something was thrown and nobody caught it. */
  private final Handler unhandled =
      new Handler() {
        @Override
        public void publish(LogRecord said) {
          if (said.getThrown() != null && said.getLevel().intValue() >= Level.WARNING.intValue()) {
            thrown.add(said.getLoggerName() + ": " + said.getMessage() + ": " + said.getThrown());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** One request, and whether it is whole, so that it must be answered. */
  private static final class Shot {
    private final byte[] bytes;
    private final boolean whole;

    Shot(byte[] bytes, boolean whole) {
      this.bytes = bytes;
      this.whole = whole;
    }
  }

  @Test
  void nothing_that_is_sent_breaks_it_hangs_it_or_leaves_anything_behind() throws Exception {
    int shots = Integer.getInteger("fuzz", 400);
    long seed = Long.getLong("fuzz.seed", 19);
    var log = Logger.getLogger("");
    log.addHandler(unhandled);
    var reviews = new AtomicReference<ReviewPart>();
    var account = Settings.of("unlimited").latency(Latency.parse("2ms"));
    try (var running = RunningGateway.before(account, usual -> usual, Map.of(), parts(reviews));
        var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      var all = new ArrayList<Callable<Boolean>>();
      for (int i = 0; i < shots; i++) {
        long number = seed * 1_000_003 + i;
        all.add(() -> shoot(running, number));
      }
      for (var each : threads.invokeAll(all)) {
        assertThat(each.get()).isTrue();
      }
      RunningGateway.until(() -> running.gateway.inFlight() == 0);
      RunningGateway.until(
          () ->
              running.lanes().stream()
                  .allMatch(lane -> lane.inFlight() == 0 && lane.waiting() == 0));
      assertThat(reviews.get().counts().room().inFlight()).isZero();
      assertThat(reviews.get().counts().room().queued()).isZero();
      assertThat(thrown).isEmpty();
      var reply = running.send(running.post("/v1/chat/completions", CHAT));
      assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    } finally {
      log.removeHandler(unhandled);
    }
  }

  private List<GatewayPart.Maker> parts(AtomicReference<ReviewPart> reviews) {
    var orders =
        new AdminApi.Server() {
          @Override
          public void drain() {}

          @Override
          public Optional<String> reload() {
            return Optional.empty();
          }
        };
    var server =
        new ServerParts(
            GatewaySettings.USUAL,
            Optional.empty(),
            AnswerOrigin.REAL,
            AdminToken.of(Map.of(AdminToken.VARIABLE, TOKEN), new SecureRandom()),
            Optional.empty(),
            orders,
            Optional::empty,
            warning -> {});
    var makers = new ArrayList<>(server.makers());
    makers.add(
        ground -> {
          ground.vertx().exceptionHandler(broken -> thrown.add("unhandled: " + broken));
          var needs =
              new ReviewPart.Needs(
                  () -> TaskSettings.USUAL, RuleChoices.NONE, WiderSlots.ALONE, "test");
          reviews.set(ReviewPart.on(ground, needs));
          return reviews.get();
        });
    return makers;
  }

  /** Sends one, and reads until the end, or until nothing comes any more if it was no whole one. */
  private static boolean shoot(RunningGateway running, long number) throws IOException {
    var shot = shot(new SplittableRandom(number));
    var said = new ByteArrayOutputStream();
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), running.gateway.port())) {
      socket.setSoTimeout(shot.whole ? 30_000 : 250);
      try {
        socket.getOutputStream().write(shot.bytes);
        var bytes = new byte[8_192];
        while (said.size() < 1 << 20) {
          int read = socket.getInputStream().read(bytes);
          if (read < 0) {
            break;
          }
          said.write(bytes, 0, read);
        }
      } catch (SocketTimeoutException quiet) {
        assertThat(shot.whole).as("shot %d hangs: %s", number, start(shot)).isFalse();
      } catch (SocketException closed) {
        // It has had enough of us.
      }
    }
    var text = said.toString(UTF_8);
    if (shot.whole) {
      assertThat(text).as("shot %d: %s", number, start(shot)).startsWith("HTTP/1.1 ");
    }
    var statuses = STATUS.matcher(text);
    while (statuses.find()) {
      assertThat(statuses.group(1)).as("shot %d: %s", number, start(shot)).isNotEqualTo("500");
    }
    // The page and the document of the API may name what they like.
    if (!text.contains("text/javascript") && !text.contains("\"openapi\"")) {
      assertThat(text).as("shot %d: %s", number, start(shot)).doesNotContainPattern(THROWN);
    }
    return true;
  }

  private static String start(Shot shot) {
    var text = new String(shot.bytes, ISO_8859_1);
    return text.substring(0, Math.min(300, text.length()));
  }

  private static <T> T any(List<T> of, SplittableRandom random) {
    return of.get(random.nextInt(of.size()));
  }

  private static Shot shot(SplittableRandom random) {
    return switch (random.nextInt(10)) {
      case 0 -> new Shot(noise(random, 1 + random.nextInt(3_000)), false);
      case 1 ->
          new Shot(
              joined("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1), noise(random, 200)),
              false);
      case 2 -> socket(random);
      case 3 -> chunked(random);
      case 4, 5, 6 -> json(random);
      default -> odd(random);
    };
  }

  private static byte[] noise(SplittableRandom random, int length) {
    var bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (var part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** A head with a few strange headers, and a body that may be of another length. */
  private static Shot odd(SplittableRandom random) {
    var head = new StringBuilder();
    head.append(any(METHODS, random)).append(' ').append(any(PATHS, random));
    head.append(random.nextInt(20) == 0 ? " HTTP/9.9" : " HTTP/1.1").append("\r\n");
    head.append(random.nextInt(20) == 0 ? "" : "host: localhost\r\n");
    for (int i = random.nextInt(5); i > 0; i--) {
      head.append(any(HEADERS, random)).append("\r\n");
    }
    var body = random.nextBoolean() ? CHAT.getBytes(UTF_8) : noise(random, random.nextInt(500));
    int said = body.length + (random.nextInt(4) == 0 ? random.nextInt(20) - 10 : 0);
    head.append("content-length: ").append(said).append("\r\n\r\n");
    return new Shot(joined(head.toString().getBytes(ISO_8859_1), body), false);
  }

  /** A whole request with a body that is nearly what a provider takes: it must be answered. */
  private static Shot json(SplittableRandom random) {
    var path =
        any(
            List.of(
                "/v1/chat/completions", "/v1/messages", "/v1/reviews", "/to/openai/v1/responses"),
            random);
    var body = value(random, 0).getBytes(random.nextInt(8) == 0 ? ISO_8859_1 : UTF_8);
    if (random.nextInt(6) == 0) {
      body = ("[{\"a\":".repeat(20_000) + "1").getBytes(UTF_8);
    } else if (random.nextInt(6) == 0 && body.length > 0) {
      body[random.nextInt(body.length)] = (byte) random.nextInt(256);
    }
    var head =
        "POST %s HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
            .formatted(path, body.length);
    return new Shot(joined(head.getBytes(ISO_8859_1), body), true);
  }

  private static String value(SplittableRandom random, int depth) {
    return switch (random.nextInt(depth > 5 ? 6 : 9)) {
      case 0 -> "null";
      case 1 -> random.nextBoolean() ? "1e999999" : "-0.00000000000000000000001";
      case 2 -> "\"\\ud800\\u0000" + "x".repeat(random.nextInt(300)) + "\"";
      case 3 -> "\"data:image/png;base64," + "A".repeat(random.nextInt(2_000)) + "\"";
      case 4 -> "99999999999999999999999999999999";
      case 5 -> random.nextBoolean() ? "true" : "tru";
      case 6 -> "[" + value(random, depth + 1) + "," + value(random, depth + 1) + "]";
      default -> {
        var names =
            List.of(
                "model",
                "stream",
                "max_tokens",
                "n",
                "messages",
                "patch",
                "range",
                "repository",
                "lenses",
                "budget",
                "formats",
                "deadlineSeconds",
                "type",
                "",
                "model");
        var object = new StringBuilder("{");
        for (int i = random.nextInt(7); i > 0; i--) {
          object.append('"').append(any(names, random)).append("\":");
          object.append(value(random, depth + 1)).append(i == 1 ? "" : ",");
        }
        yield object.append(random.nextInt(30) == 0 ? "" : "}").toString();
      }
    };
  }

  private static Shot chunked(SplittableRandom random) {
    var text = new StringBuilder("POST " + any(PATHS.subList(0, 10), random) + " HTTP/1.1\r\n");
    text.append("host: localhost\r\ncontent-type: application/json\r\n");
    text.append("transfer-encoding: chunked\r\n");
    text.append(random.nextInt(3) == 0 ? "content-length: 5\r\n" : "").append("\r\n");
    for (int i = random.nextInt(4); i >= 0; i--) {
      int length = random.nextInt(40);
      text.append(
          switch (random.nextInt(6)) {
            case 0 -> "ffffffffffffffff";
            case 1 -> "-1";
            case 2 -> "zz";
            case 3 -> Integer.toHexString(length) + ";ext=" + "e".repeat(200);
            default -> Integer.toHexString(length);
          });
      text.append("\r\n").append("{".repeat(length)).append("\r\n");
    }
    text.append(random.nextBoolean() ? "0\r\n\r\n" : "0\r\nx-flyball-id: t\r\n\r\n");
    return new Shot(text.toString().getBytes(ISO_8859_1), false);
  }

  /** A WebSocket, and frames that are none. */
  private static Shot socket(SplittableRandom random) {
    var head =
        String.join(
            "\r\n",
            "GET /v1/reviews/ws HTTP/1.1",
            "host: localhost",
            "connection: upgrade",
            "upgrade: websocket",
            "sec-websocket-version: 13",
            "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
            "",
            "");
    var text = value(random, 0).getBytes(UTF_8);
    int length = Math.min(125, text.length);
    var frame = new byte[6 + length];
    frame[0] = (byte) (random.nextInt(3) == 0 ? random.nextInt(256) : 0x81);
    frame[1] = (byte) (0x80 | (random.nextInt(5) == 0 ? 127 : length));
    System.arraycopy(text, 0, frame, 6, length);
    return new Shot(joined(head.getBytes(ISO_8859_1), frame, noise(random, 20)), false);
  }
}
