package dev.flyball.bench.limiters;

import java.io.IOException;
import java.util.List;

/**
 * A limiter that runs.
 *
 * @param servers the one that is called, and those that it needs
 * @param change what happens to its rule in the middle of a run
 */
record RunningLimiter(List<ServerProcess> servers, Change change) implements AutoCloseable {
  /** Another rule from now on. */
  interface Change {
    void now() throws IOException, InterruptedException;
  }

  RunningLimiter(List<ServerProcess> servers) {
    this(servers, () -> {});
  }

  int port() {
    return servers.getFirst().port();
  }

  @Override
  public void close() {
    servers.forEach(ServerProcess::close);
  }
}
