package dev.flyball.gateway;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a server that are the same as long as it runs.
 *
 * @param host the address it listens at; anything but loopback demands keys
 * @param port 0 is any that is free
 * @param loops how many event loops
 * @param drain how long it waits for what is in flight when it is told to end
 * @param rules the file of rules, which may be read again
 */
public record GatewaySettings(
    String host, int port, int loops, Duration drain, Optional<Path> rules) {
  /** Where it listens when nobody says otherwise. */
  public static final int USUAL_PORT = 8484;

  /** On loopback, with one event loop for each core. */
  public static final GatewaySettings USUAL =
      new GatewaySettings(
          "127.0.0.1",
          USUAL_PORT,
          Math.max(1, Runtime.getRuntime().availableProcessors()),
          Duration.ofSeconds(30),
          Optional.empty());

  /** The same at another port. */
  public GatewaySettings port(int other) {
    return new GatewaySettings(host, other, loops, drain, rules);
  }

  /** The same at another address. */
  public GatewaySettings host(String other) {
    return new GatewaySettings(other, port, loops, drain, rules);
  }

  /** The same with so many event loops. */
  public GatewaySettings loops(int other) {
    return new GatewaySettings(host, port, other, drain, rules);
  }

  /** The same with another patience at its end. */
  public GatewaySettings drain(Duration other) {
    return new GatewaySettings(host, port, loops, other, rules);
  }

  /** The same with a file of rules. */
  public GatewaySettings rules(Path file) {
    return new GatewaySettings(host, port, loops, drain, Optional.of(file));
  }

  /** Whether it is reached from this machine alone. */
  public boolean isLoopback() {
    return host.equals("localhost") || host.equals("::1") || host.startsWith("127.");
  }
}
