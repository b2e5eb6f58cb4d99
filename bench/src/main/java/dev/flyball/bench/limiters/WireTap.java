package dev.flyball.bench.limiters;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A tap on the wire between a client and a limiter. It passes every byte on as it is, has one
 * connection to the limiter for each of the client's, and ends the one with the other; so a client
 * sees nothing of it but a fraction of a millisecond. Which call a request is for stands in its
 * prompt.
 */
final class WireTap implements AutoCloseable {
  private static final Pattern NUMBER = Pattern.compile("Question (\\d{6})");

  /** Where connections go, and who writes down what passes. */
  private record Line(int port, TapRecord record) {}

  private final ServerSocket server;
  private final AtomicReference<@Nullable Line> line = new AtomicReference<>();

  private WireTap(ServerSocket server) {
    this.server = server;
  }

  static WireTap open() throws IOException {
    var tap = new WireTap(new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress()));
    Thread.ofVirtual().start(tap::accept);
    return tap;
  }

  /** The address of whatever limiter it leads to: always the same. */
  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  /** From now on it leads to this port. */
  TapRecord leadTo(int port) {
    var record = new TapRecord();
    line.set(new Line(port, record));
    return record;
  }

  private void accept() {
    while (true) {
      Socket client;
      try {
        client = server.accept();
      } catch (IOException closed) {
        return;
      }
      var to = line.get();
      if (to == null) {
        close(client);
      } else {
        Thread.ofVirtual().start(() -> connect(client, to));
      }
    }
  }

  private static void connect(Socket client, Line to) {
    try {
      var limiter = new Socket(InetAddress.getLoopbackAddress(), to.port());
      client.setTcpNoDelay(true);
      limiter.setTcpNoDelay(true);
      new Connection(client, limiter, to.record()).run();
    } catch (IOException refused) {
      close(client);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // It is closed either way.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private record Connection(
      Socket client,
      Socket limiter,
      TapRecord record,
      ConcurrentLinkedQueue<TapRecord.Open> asked) {
    Connection(Socket client, Socket limiter, TapRecord record) {
      this(client, limiter, record, new ConcurrentLinkedQueue<>());
    }

    void run() {
      Thread.ofVirtual().start(() -> pass(this::requests));
      pass(this::replies);
    }

    private interface Direction {
      void run() throws IOException;
    }

    private void pass(Direction direction) {
      try {
        direction.run();
      } catch (IOException | NumberFormatException cut) {
        // The other side learns it by its connection's end, as it would without a tap.
        return;
      } finally {
        WireTap.close(client);
        WireTap.close(limiter);
        for (var open = asked.poll(); open != null; open = asked.poll()) {
          open.ended(TapRecord.CUT);
        }
      }
    }

    private void requests() throws IOException {
      InputStream in = new BufferedInputStream(client.getInputStream());
      Optional<HttpMessage> request = HttpMessage.read(in, false);
      while (request.isPresent()) {
        var number = NUMBER.matcher(request.get().text());
        if (!number.find()) {
          throw new IOException("a request that is none of the calls");
        }
        asked.add(record.sent(Integer.parseInt(number.group(1))));
        limiter.getOutputStream().write(request.get().bytes());
        request = HttpMessage.read(in, false);
      }
    }

    private void replies() throws IOException {
      InputStream in = new BufferedInputStream(limiter.getInputStream());
      Optional<HttpMessage> reply = HttpMessage.read(in, true);
      while (reply.isPresent()) {
        if (!reply.get().isInterim()) {
          var open = asked.poll();
          if (open != null) {
            open.ended(reply.get().status());
          }
        }
        client.getOutputStream().write(reply.get().bytes());
        reply = HttpMessage.read(in, true);
      }
    }
  }
}
