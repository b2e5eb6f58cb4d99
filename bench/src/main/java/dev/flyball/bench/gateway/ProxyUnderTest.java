package dev.flyball.bench.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server between wrk and the mock, whose processor time is read from the kernel. */
final class ProxyUnderTest implements AutoCloseable {
  private static final double TICKS_A_SECOND = 100;
  private static final long STARTS_WITHIN = 60_000;
  private static final long LOOK = 50;

  private final String name;
  private final Process process;
  private final int port;

  private ProxyUnderTest(String name, Process process, int port) {
    this.name = name;
    this.process = process;
    this.port = port;
  }

  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  static ProxyUnderTest start(
      String name, int port, Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    var log = folder.resolve(name.replace(' ', '-') + ".log").toFile();
    var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
    builder.environment().putAll(environment);
    var started = new ProxyUnderTest(name, builder.start(), port);
    // Whoever stops a measurement leaves no server behind.
    Runtime.getRuntime().addShutdownHook(new Thread(started::close));
    for (long waited = 0; ; waited += LOOK) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        return started;
      } catch (IOException notYet) {
        if (waited > STARTS_WITHIN || !started.process.isAlive()) {
          started.close();
          throw new IOException(name + " did not start; its log is " + log, notYet);
        }
        TimeUnit.MILLISECONDS.sleep(LOOK);
      }
    }
  }

  String name() {
    return name;
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  /** The processor time of it and of its children so far, in seconds. */
  double seconds() throws IOException {
    double sum = 0;
    for (var each : Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList()) {
      var stat = Path.of("/proc/" + each.pid() + "/stat");
      if (Files.exists(stat)) {
        var text = Files.readString(stat);
        var fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
        sum += (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_A_SECOND;
      }
    }
    return sum;
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }
}
