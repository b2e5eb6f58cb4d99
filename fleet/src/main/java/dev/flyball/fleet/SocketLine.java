package dev.flyball.fleet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A socket on which messages go as lines, each way in order. Sending never blocks. */
final class SocketLine implements AutoCloseable {
  private static final int MOST_UNSENT = 1 << 16;
  private static final String END = "";

  private final SocketChannel channel;
  private final LinkedBlockingQueue<Object> unsent = new LinkedBlockingQueue<>(MOST_UNSENT);
  private final Consumer<String> heard;
  private final Runnable ended;
  private final AtomicBoolean over = new AtomicBoolean();
  private final Thread writer;

  /**
   * Of an open socket.
   *
   * @param heard gets each line
   * @param ended is told once, when no more comes or goes
   */
  SocketLine(SocketChannel channel, Consumer<String> heard, Runnable ended) {
    this.channel = channel;
    this.heard = heard;
    this.ended = ended;
    this.writer = Thread.ofPlatform().daemon().name("flyball-fleet-out").unstarted(this::write);
  }

  SocketLine start() {
    writer.start();
    Thread.ofPlatform().daemon().name("flyball-fleet-in").start(this::read);
    return this;
  }

  void send(FleetMessage message) {
    if (!unsent.offer(message)) {
      // Whoever is so far behind is as good as gone.
      end();
    }
  }

  private void read() {
    try (var lines =
        new BufferedReader(
            new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        heard.accept(line);
      }
    } catch (IOException broken) {
      // It ends as if it had been closed.
    } finally {
      end();
    }
  }

  private void write() {
    try {
      for (var next = unsent.take(); !next.equals(END); next = unsent.take()) {
        var text = new StringBuilder(MessageJson.write(next)).append('\n');
        for (var more = unsent.peek();
            more != null && !more.equals(END) && text.length() < 1 << 16;
            more = unsent.peek()) {
          text.append(MessageJson.write(unsent.take())).append('\n');
        }
        var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      }
    } catch (IOException | InterruptedException broken) {
      // It ends as if it had been closed.
    } finally {
      end();
    }
  }

  private void end() {
    if (over.compareAndSet(false, true)) {
      writer.interrupt();
      try {
        channel.close();
      } catch (IOException closedAnyway) {
        // Nothing is left to do.
      }
      ended.run();
    }
  }

  /** Sends what is unsent, but waits no longer than a moment for that, and ends. */
  void finish() {
    if (unsent.offer(END)) {
      try {
        writer.join(200);
      } catch (InterruptedException hurried) {
        Thread.currentThread().interrupt();
      }
    }
    end();
  }

  @Override
  public void close() {
    end();
  }
}
