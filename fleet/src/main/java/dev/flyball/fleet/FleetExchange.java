package dev.flyball.fleet;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The way between replicas that may be anywhere: what one publishes reaches all, or is lost; and
 * one at a time has a lease. Nothing here blocks, and no order is promised.
 */
interface FleetExchange extends AutoCloseable {
  /** The two kinds of readers. */
  enum Channel {
    /** The keeper reads it. */
    TO_KEEPER,
    /** All replicas read it. */
    TO_REPLICAS
  }

  /**
   * Whoever has the lease.
   *
   * @param generation of keepers; each has a higher one than those before
   * @param id of the keeper
   */
  record Holder(long generation, String id) {}

  /** Publishes a text; if nobody can be reached, it is lost. */
  void publish(Channel channel, String text);

  /** Begins to hear what is published on a channel, on any thread. */
  void hear(Channel channel, Consumer<String> listener);

  /**
   * Takes the lease if it is free, or keeps it.
   *
   * @param id who asks
   * @param known the highest generation that is known
   * @param mine the generation under which the lease is already held; 0 if it is not
   * @param time for how long it is taken
   * @param answer who has it; not called if nobody can be reached
   */
  void lease(String id, long known, long mine, Duration time, Consumer<Holder> answer);

  /** Gives the lease back, if this one has it. */
  void release(String id);

  @Override
  void close();
}
