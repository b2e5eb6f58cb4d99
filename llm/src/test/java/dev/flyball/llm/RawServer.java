package dev.flyball.llm;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that says what a test wants it to, byte for byte, and keeps all that it heard. */
final class RawServer implements AutoCloseable {
  /** The course of one connection, which is closed when that ends. */
  interface Script {
    void play(Line line) throws Exception;
  }

  private final ServerSocket socket;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final ConcurrentHashMap.KeySetView<Socket, Boolean> open = ConcurrentHashMap.newKeySet();

  private RawServer(Script script) throws IOException {
    socket = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(() -> accept(script));
  }

  static RawServer playing(Script script) throws IOException {
    return new RawServer(script);
  }

  /** Answers every request on every connection with the same bytes. */
  static RawServer saying(String reply) throws IOException {
    return playing(
        line -> {
          while (line.hear()) {
            line.say(reply);
          }
        });
  }

  private void accept(Script script) {
    while (!socket.isClosed()) {
      try {
        var client = socket.accept();
        connections.incrementAndGet();
        open.add(client);
        Thread.startVirtualThread(() -> play(script, client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void play(Script script, Socket client) {
    try (client) {
      script.play(new Line(client));
    } catch (Exception gone) {
      // The other side hung up, as many tests want it to.
      return;
    } finally {
      open.remove(client);
    }
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + port());
  }

  int port() {
    return socket.getLocalPort();
  }

  List<String> requests() {
    return requests;
  }

  int connections() {
    return connections.get();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (var client : open) {
      client.close();
    }
  }

  /** One connection, from the server's side. */
  final class Line {
    private final Socket client;
    private final InputStream in;

    private Line(Socket client) throws IOException {
      this.client = client;
      this.in = new BufferedInputStream(client.getInputStream());
    }

    /** Reads one whole request; false when there is none. */
    boolean hear() throws IOException {
      var bytes = new ByteArrayOutputStream();
      while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
        int next = in.read();
        if (next < 0) {
          return false;
        }
        bytes.write(next);
      }
      var head = bytes.toString(StandardCharsets.ISO_8859_1);
      int length =
          head.toLowerCase(Locale.ROOT)
              .lines()
              .filter(each -> each.startsWith("content-length:"))
              .mapToInt(each -> Integer.parseInt(each.substring(15).strip()))
              .findFirst()
              .orElse(0);
      bytes.write(in.readNBytes(length));
      requests.add(bytes.toString(StandardCharsets.ISO_8859_1));
      return true;
    }

    void say(String text) throws IOException {
      say(text.getBytes(StandardCharsets.UTF_8));
    }

    void say(byte[] bytes) throws IOException {
      client.getOutputStream().write(bytes);
      client.getOutputStream().flush();
    }

    /** Says the same again and again, until nobody listens; how often that was. */
    long sayForever(byte[] bytes) {
      for (long count = 0; ; count++) {
        try {
          say(bytes);
        } catch (IOException gone) {
          return count;
        }
      }
    }

    /** Waits until the other side has hung up. */
    void awaitEnd() throws IOException {
      in.transferTo(ByteArrayOutputStream.nullOutputStream());
    }

    /** Hangs up without a goodbye. */
    void reset() throws IOException {
      client.setSoLinger(true, 0);
      client.close();
    }
  }
}
