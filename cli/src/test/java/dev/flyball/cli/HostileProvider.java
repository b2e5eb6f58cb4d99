package dev.flyball.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/** A provider on loopback that misbehaves in one way, byte by byte. */
final class HostileProvider implements AutoCloseable {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String JSON = OK + "Content-Type: application/json\r\n";
  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
  private static final String EVENTS = OK + "Content-Type: text/event-stream\r\n" + CHUNKED;
  private static final byte[] LARGE = chunk("a".repeat(1 << 16));
  private static final String EVENT =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n";

  /** The course of one request, told on its connection. */
  private interface Script {
    void play(Line line) throws IOException, InterruptedException;
  }

  /** The ways to misbehave. */
  // A script holds nothing; there is no annotation to say so among our dependencies.
  @SuppressWarnings("ImmutableEnumChecker")
  enum Way {
    DRIPS_BLANKS(line -> line.say(JSON + CHUNKED).drip(" ")),
    DRIPS_LETTERS(line -> line.say(JSON + CHUNKED).drip("a")),
    DRIPS_HEADERS(line -> line.say(OK + "X-Slow: ").dripRaw("a")),
    DRIPS_ITS_STATUS(line -> line.dripRaw("H")),
    DRIPS_AN_ERROR(line -> line.say("HTTP/1.1 500 No\r\n" + CHUNKED).drip("a")),
    DRIPS_HALF_AN_ANSWER(
        line -> line.say(JSON + CHUNKED).chunk("{\"choices\":[{\"x\":\"").drip("a")),
    NEVER_ENDS(line -> line.say(JSON + CHUNKED).flood(LARGE)),
    NEVER_ENDS_WITHOUT_A_LENGTH(
        line -> line.say(JSON + "Connection: close\r\n\r\n{\"a\":\"").flood(LARGE)),
    NEVER_ENDS_AN_ERROR(line -> line.say("HTTP/1.1 400 No\r\n" + CHUNKED).flood(LARGE)),
    STREAMS_FOR_EVER(line -> line.say(EVENTS).flood(chunk(EVENT.repeat(500)))),
    PINGS_FOR_EVER(line -> line.say(EVENTS).drip("event: ping\ndata: {\"type\":\"ping\"}\n\n")),
    COMMENTS_FOR_EVER(line -> line.say(EVENTS).drip(": still here\n\n")),
    NEVER_ENDS_AN_EVENT(line -> line.say(EVENTS).chunk("data: {\"a\":\"").flood(LARGE)),
    STREAMS_UNASKED(
        line -> line.say(EVENTS).chunk(EVENT).chunk("data: [DONE]\n\n").say("0\r\n\r\n")),
    ANNOUNCES_100_MB(
        line -> line.say(JSON + "Content-Length: 100000000\r\n\r\n").times(1_600, LARGE)),
    SENDS_100_MB(
        line ->
            line.say(JSON + CHUNKED)
                .chunk("{\"usage\":{\"prompt_tokens\":1},\"choices\":[\"")
                .times(1_600, LARGE)
                .chunk("\"]}")
                .say("0\r\n\r\n")),
    SENDS_A_GZIP_BOMB(
        line -> line.say(JSON + "Content-Encoding: gzip\r\nConnection: close\r\n\r\n").bomb()),
    SENDS_ENDLESS_HEADERS(line -> line.say(OK).flood(bytes("X-More: and more\r\n".repeat(100)))),
    SENDS_ONE_ENDLESS_HEADER(line -> line.say(OK + "X-More: ").flood(bytes("a".repeat(4_096)))),
    SENDS_FOLDED_HEADERS(
        line -> line.say(OK + "X-A: b\r\n  folded\r\n\tagain\r\n").answer("", line.id())),
    ANSWERS_TWICE(line -> line.say(answer(line.id()) + answer("UNASKED"))),
    ANSWERS_TWICE_A_MOMENT_LATER(
        line -> {
          line.say(answer(line.id()));
          TimeUnit.MILLISECONDS.sleep(5);
          line.say(answer("UNASKED"));
        }),
    RESETS_AT_ONCE(line -> line.reset()),
    RESETS_IN_THE_BODY(
        line -> line.say(JSON + "Content-Length: 1000\r\n\r\n{\"choices\":").reset()),
    HANGS_UP(line -> line.end()),
    SAYS_LESS_THAN_ITS_LENGTH(line -> line.say(JSON + "Content-Length: 9\r\n\r\n{\"ch").end()),
    SAYS_MORE_THAN_ITS_LENGTH(
        line -> line.say(JSON + "Content-Length: 2\r\n\r\n{}" + answer("UNASKED"))),
    FALLS_SILENT(line -> line.say(JSON + "Content-Length: 1000\r\n\r\n{").silence()),
    HAS_TWO_KINDS_OF_LENGTH(
        line -> line.say(JSON + "Content-Length: 3\r\n" + CHUNKED).chunk("{}").say("0\r\n\r\n")),
    HAS_TWO_LENGTHS(line -> line.say(JSON + "Content-Length: 2\r\nContent-Length: 400\r\n\r\n{}")),
    HAS_GARBAGE_FOR_A_CHUNK(line -> line.say(JSON + CHUNKED + "zzzz\r\n{}\r\n").silence()),
    HAS_A_HUGE_CHUNK(line -> line.say(JSON + CHUNKED + "7fffffffffffffff\r\n").flood(LARGE)),
    HAS_A_NEGATIVE_CHUNK(line -> line.say(JSON + CHUNKED + "-5\r\n{}\r\n").silence()),
    CONTINUES_FOR_EVER(line -> line.flood(bytes("HTTP/1.1 100 Continue\r\n\r\n"))),
    CONTINUES_SLOWLY(line -> line.dripRaw("HTTP/1.1 102 Processing\r\n\r\n")),
    REDIRECTS(
        line ->
            line.say(
                "HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n"
                    .formatted(line.elsewhere()))),
    ANSWERS_WITH_AN_ERROR(
        line -> line.json("{\"error\":{\"message\":\"no\",\"type\":\"server_error\"}}")),
    ANSWERS_DEEPLY(line -> line.json("{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}")),
    ANSWERS_NOTHING(line -> line.json("")),
    ANSWERS_NULL(line -> line.json("null")),
    ANSWERS_NO_CONTENT(line -> line.say("HTTP/1.1 204 None\r\n\r\n")),
    SENDS_WRONG_LETTERS(
        line ->
            line.say(JSON + "Content-Length: 12\r\n\r\n{\"a\":\"")
                .raw(0xff, 0xc0, 0x80)
                .say("\"}\n")),
    SENDS_CONTROL_CHARACTERS(
        line ->
            line.status(
                "400 No",
                "{\"error\":{\"message\":\"\\u001b[2J\\u0000\\u0007\\n::error::x\\u202e\"}}")),
    COUNTS_ABSURDLY(
        line ->
            line.json(
                ("{\"custom\":\"%s\",\"choices\":[],\"usage\":{\"prompt_tokens\":1e400,"
                        + "\"completion_tokens\":9223372036854775808,\"total_tokens\":-1}}")
                    .formatted(line.id()))),
    WAITS_FOR_AGES(line -> line.status("429 Later\r\nRetry-After: 999999999999999999", "{}")),
    SPEAKS_TLS(line -> line.raw(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc).silence()),
    SPEAKS_NOTHING(line -> line.say("hello there\n").end()),
    CLOSES_HALF(line -> line.say(JSON + CHUNKED).half()),
    NEVER_ANSWERS(line -> line.silence()),
    ANSWERS_UNHEARD(true, line -> line.say(answer("UNHEARD")).silence());

    private final boolean unheard;
    private final Script script;

    Way(Script script) {
      this(false, script);
    }

    /**
     * A way.
     *
     * @param unheard whether it does not wait for the request
     */
    Way(boolean unheard, Script script) {
      this.unheard = unheard;
      this.script = script;
    }
  }

  private final ServerSocket socket;
  private final ServerSocket elsewhere;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger strays = new AtomicInteger();
  private final int good;
  private final ConcurrentHashMap.KeySetView<Socket, Boolean> open = ConcurrentHashMap.newKeySet();

  private HostileProvider(Way way, int good) throws IOException {
    this.good = good;
    socket = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    elsewhere = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    thread(() -> accept(socket, client -> play(way, client)));
    thread(() -> accept(elsewhere, client -> strays.incrementAndGet()));
  }

  static HostileProvider start(Way way) throws IOException {
    return new HostileProvider(way, 0);
  }

  /** One that answers the first requests as it should. */
  static HostileProvider start(Way way, int good) throws IOException {
    return new HostileProvider(way, good);
  }

  String address() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  int requests() {
    return requests.get();
  }

  /** How many came to where a redirect leads. */
  int strays() {
    return strays.get();
  }

  /** Whoever floods on a virtual thread leaves no room for others. */
  private static void thread(Runnable work) {
    Thread.ofPlatform().daemon().start(work);
  }

  private interface Guest {
    void come(Socket client);
  }

  private void accept(ServerSocket door, Guest guest) {
    while (!door.isClosed()) {
      try {
        var client = door.accept();
        open.add(client);
        thread(() -> guest.come(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void play(Way way, Socket client) {
    try (client) {
      var line = new Line(client);
      while (way.unheard || line.hear()) {
        int number = requests.incrementAndGet();
        if (number <= good) {
          line.say(answer(line.id()));
        } else {
          way.script.play(line);
        }
      }
    } catch (IOException gone) {
      // They hung up, which is what they should do.
      return;
    } catch (InterruptedException never) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
    }
  }

  private static String answer(String id) {
    var body =
        ("{\"id\":\"%s\",\"choices\":[{\"index\":0,\"message\":{\"content\":\"%s\"}}],"
                + "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}")
            .formatted(id, id);
    return JSON + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] chunk(String text) {
    return bytes(Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
  }

  @Override
  public void close() throws IOException {
    socket.close();
    elsewhere.close();
    for (var client : open) {
      client.close();
    }
  }

  /** One connection, from the provider's side. */
  private final class Line {
    private final Socket client;
    private final InputStream in;
    private String id = "";

    Line(Socket client) throws IOException {
      this.client = client;
      this.in = new BufferedInputStream(client.getInputStream());
    }

    /** Reads one whole request; false when there is none. */
    boolean hear() throws IOException {
      var head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = in.read();
        if (next < 0) {
          return false;
        }
        head.append((char) next);
      }
      int length = 0;
      for (var field : head.toString().split("\r\n", -1)) {
        var lower = field.toLowerCase(Locale.ROOT);
        if (lower.startsWith("content-length:")) {
          length = Integer.parseInt(field.substring(15).strip());
        } else if (lower.startsWith("x-client-request-id:")) {
          id = field.substring(20).strip();
        }
      }
      in.readNBytes(length);
      return true;
    }

    String id() {
      return id;
    }

    int elsewhere() {
      return elsewhere.getLocalPort();
    }

    Line say(String text) throws IOException {
      return write(bytes(text));
    }

    Line raw(int... values) throws IOException {
      var all = new byte[values.length];
      for (int i = 0; i < all.length; i++) {
        all[i] = (byte) values[i];
      }
      return write(all);
    }

    private Line write(byte[] all) throws IOException {
      client.getOutputStream().write(all);
      client.getOutputStream().flush();
      return this;
    }

    Line chunk(String text) throws IOException {
      return write(HostileProvider.chunk(text));
    }

    Line json(String body) throws IOException {
      return status("200 OK", body);
    }

    Line status(String status, String body) throws IOException {
      return say(
          "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(status, body.length(), body));
    }

    /** The rest of a head and a true answer. */
    Line answer(String more, String to) throws IOException {
      return say(more + HostileProvider.answer(to).substring(OK.length()));
    }

    Line times(int count, byte[] piece) throws IOException {
      for (int i = 0; i < count; i++) {
        write(piece);
      }
      return this;
    }

    void flood(byte[] piece) throws IOException {
      for (; ; ) {
        write(piece);
      }
    }

    void bomb() throws IOException {
      var small = new ByteArrayOutputStream();
      try (var gzip = new GZIPOutputStream(small)) {
        gzip.write(bytes("{\"a\":\""));
        var piece = new byte[1 << 16];
        for (int i = 0; i < 3_200; i++) {
          gzip.write(piece);
        }
      }
      write(small.toByteArray());
      end();
    }

    void drip(String text) throws IOException, InterruptedException {
      for (; ; ) {
        chunk(text);
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }

    void dripRaw(String text) throws IOException, InterruptedException {
      for (; ; ) {
        say(text);
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }

    void silence() throws IOException {
      in.transferTo(ByteArrayOutputStream.nullOutputStream());
    }

    void half() throws IOException {
      client.shutdownOutput();
      silence();
    }

    void reset() throws IOException {
      client.setSoLinger(true, 0);
      client.close();
    }

    void end() throws IOException {
      client.close();
    }
  }
}
