package dev.flyball.bench.limiters;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server on a port of the loopback address. A shell holds it on a leash: it ends the server as
 * soon as nobody holds the other end of the shell's input any more, so the server ends with us,
 * however we end.
 */
final class ServerProcess implements AutoCloseable {
  private static final String LEASH = "\"$@\" & server=$!; cat > /dev/null; kill $server";
  private static final int CHILDREN = 2;
  private static final Duration RUNS_WITHIN = Duration.ofSeconds(3);
  private static final Duration STARTS_WITHIN = Duration.ofSeconds(20);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);

  private final Process leash;
  private final Path log;
  private final int port;

  private ServerProcess(Process leash, Path log, int port) {
    this.leash = leash;
    this.log = log;
    this.port = port;
  }

  /** A port that nobody has at the moment. */
  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Starts it, and waits until it takes connections. */
  static ServerProcess start(Path log, int port, List<String> words)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("sh", "-c", LEASH, "leash"));
    command.addAll(words);
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("NODE_ENV", "production");
    var server = new ServerProcess(builder.start(), log, port);
    try {
      server.awaitConnections();
      return server;
    } catch (IOException | InterruptedException | RuntimeException unready) {
      server.close();
      throw unready;
    }
  }

  int port() {
    return port;
  }

  private void awaitConnections() throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (!takesConnections()) {
      var taken = Duration.ofNanos(System.nanoTime() - start);
      boolean gone = taken.compareTo(RUNS_WITHIN) > 0 && leash.children().count() < CHILDREN;
      if (gone || taken.compareTo(STARTS_WITHIN) > 0) {
        throw new IOException("the server did not start: " + Files.readString(log).strip());
      }
      Thread.sleep(20);
    }
  }

  private boolean takesConnections() {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  @Override
  public void close() {
    var below = leash.descendants().toList();
    try {
      leash.getOutputStream().close();
      leash.waitFor(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      for (var each : below) {
        each.onExit().get(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } catch (Exception late) {
      // It is ended the hard way, below.
      System.err.println("a server did not end when it was asked to: " + late);
    }
    below.forEach(ProcessHandle::destroyForcibly);
    leash.destroyForcibly();
  }
}
