package dev.flyball.fleet;

import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Somebody who looks at a fleet over an exchange once, and takes no part in it. */
final class RemoteLook {
  private static final long AGAIN = 200_000_000L;

  private final FleetExchange exchange;
  private final Time time;
  private final String session = UUID.randomUUID() + ".look";
  private final ReentrantLock lock = new ReentrantLock();
  private final CompletableFuture<FleetView> seen = new CompletableFuture<>();
  private @Nullable Conversation<FleetMessage.ToKeeper, FleetMessage.ToReplica> toKeeper;
  private long generation;

  RemoteLook(FleetExchange exchange, Time time) {
    this.exchange = exchange;
    this.time = time;
  }

  /** What is there; empty if nobody answers for so long. */
  Optional<FleetView> look(Duration longest) {
    exchange.hear(FleetExchange.Channel.TO_REPLICAS, this::heard);
    ask();
    try {
      return Optional.of(seen.get(longest.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException | ExecutionException nobody) {
      return Optional.empty();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      say(new FleetMessage.Bye());
      seen.cancel(false);
    }
  }

  /** Until there is an answer, whoever is keeper is asked to say so, or is asked again. */
  private void ask() {
    if (seen.isDone()) {
      return;
    }
    lock.lock();
    try {
      if (toKeeper == null) {
        publish("", 0, new Conversation.Part<>(0, 0, false, List.of()));
      } else if (toKeeper.wants(time.nanos())) {
        publish(session, generation, toKeeper.part(time.nanos()));
      }
    } finally {
      lock.unlock();
    }
    time.alarm(time.nanos() + AGAIN, this::ask);
  }

  private void publish(String from, long to, Conversation.Part<FleetMessage.ToKeeper> part) {
    exchange.publish(
        FleetExchange.Channel.TO_KEEPER,
        MessageJson.write(new RemoteFleet.FromReplica(from, to, part)));
  }

  private void say(FleetMessage.ToKeeper message) {
    lock.lock();
    try {
      if (toKeeper != null) {
        toKeeper.say(message);
        publish(session, generation, toKeeper.part(time.nanos()));
      }
    } finally {
      lock.unlock();
    }
  }

  private void heard(String text) {
    RemoteFleet.FromKeeper said;
    try {
      said = MessageJson.read(text, RemoteFleet.FromKeeper.class);
    } catch (IOException strange) {
      return;
    }
    lock.lock();
    try {
      if (toKeeper == null || said.generation() > generation) {
        generation = said.generation();
        toKeeper = new Conversation<>(AGAIN);
        say(new FleetMessage.Look());
        return;
      }
      var part = said.parts().get(session);
      if (part != null && said.generation() == generation) {
        toKeeper.receive(
            part,
            time.nanos(),
            message -> {
              if (message instanceof FleetMessage.Shown(var view)) {
                seen.complete(view);
              }
            });
      }
    } finally {
      lock.unlock();
    }
  }
}
