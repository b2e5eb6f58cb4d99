package dev.flyball.gateway.http;

import dev.flyball.run.RunSetup;
import dev.flyball.scheduler.Flyball;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.util.List;
import java.util.Optional;

/**
 * A part of the gateway with paths of its own: the proxy, the review server, the dashboard, ...
 * Everything has a default, so a part says only what it is about.
 */
public interface GatewayPart extends AutoCloseable {
  /** The paths at which it answers. */
  default List<Mount> mounts() {
    return List.of();
  }

  /** The check of who asks, if this part has one; of several, the last one counts. */
  default Optional<AccessCheck> access() {
    return Optional.empty();
  }

  /** Who is told the story of each call. */
  default Optional<CallListener> listener() {
    return Optional.empty();
  }

  /** Says what it needs of the server before that is started. */
  default void adjust(HttpServerOptions options) {}

  /** Refuses what is new from now on; does not wait. */
  default void drain() {}

  /** How much of what it does is not over yet; the server waits for that when it drains. */
  default int inFlight() {
    return 0;
  }

  /**
   * Reads its settings again, and changes nothing yet; {@link dev.flyball.run.BadSettings} says why
   * they cannot be.
   *
   * @return puts them in force; run when the settings of all parts can be
   */
  default Runnable readAgain() {
    return () -> {};
  }

  /** Ends it. Those that were made later are closed earlier, so listeners hear every ending. */
  @Override
  default void close() {}

  /** The ground on which a part stands. */
  record Ground(Vertx vertx, RunSetup setup, Flyball flyball) {}

  /** A part to be. */
  @FunctionalInterface
  interface Maker {
    GatewayPart on(Ground ground);
  }
}
