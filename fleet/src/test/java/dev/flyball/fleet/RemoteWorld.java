package dev.flyball.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Processes on many machines: a store in between that loses, doubles, delays, stops and forgets.
 */
final class RemoteWorld {
  final World world;
  private final List<Ear> ears = new ArrayList<>();
  private final Map<World.Member, RemoteFleet> fleets = new HashMap<>();
  private String holder = "";
  private long generation;
  private double until;
  boolean up = true;
  double loss;

  /** How much longer a message may take than usual, in seconds. */
  double slow;

  int commands;

  private record Ear(
      FleetExchange.Channel channel, Consumer<String> listener, World.Member of, int life) {}

  RemoteWorld(World world) {
    this.world = world;
  }

  private double delay() {
    double more = slow > 0 ? slow * world.random.nextDouble() / 2 : 0;
    return more + usual();
  }

  private double usual() {
    return world.random.nextDouble() < 0.02
        ? 0.001 + 0.024 * world.random.nextDouble()
        : 0.0001 + 0.0009 * world.random.nextDouble();
  }

  private boolean lost() {
    return !up || world.random.nextDouble() < loss;
  }

  /** Everything is forgotten. */
  void flush() {
    holder = "";
    generation = 0;
    until = 0;
  }

  /** Whoever keeps the books now. */
  World.@Nullable Member keeper() {
    for (var process : world.processes) {
      var fleet = fleets.get(process);
      if (process.alive && fleet != null && fleet.keeps()) {
        return process;
      }
    }
    return null;
  }

  RemoteFleet comes(World.Member process) {
    var fleet = joins(process);
    fleets.put(process, fleet);
    return fleet;
  }

  private RemoteFleet joins(World.Member process) {
    int life = process.life;
    var exchange =
        new FleetExchange() {
          private boolean open = true;

          private boolean there() {
            return open && process.alive && process.life == life;
          }

          @Override
          public void publish(Channel channel, String text) {
            if (!there()) {
              return;
            }
            commands++;
            if (lost()) {
              return;
            }
            for (var ear : List.copyOf(ears)) {
              if (ear.channel() == channel && !lost()) {
                int times = world.random.nextDouble() < loss ? 2 : 1;
                for (int i = 0; i < times; i++) {
                  world.time.in(
                      delay() + delay(),
                      () -> {
                        if (up && ear.of().alive && ear.of().life == ear.life()) {
                          ear.listener().accept(text);
                        }
                      });
                }
              }
            }
          }

          @Override
          public void hear(Channel channel, Consumer<String> listener) {
            ears.add(new Ear(channel, listener, process, life));
          }

          @Override
          public void lease(
              String id, long known, long mine, Duration time, Consumer<Holder> answer) {
            if (!there()) {
              return;
            }
            commands++;
            if (lost()) {
              return;
            }
            world.time.in(
                delay(),
                () -> {
                  if (!up) {
                    return;
                  }
                  double now = world.time.seconds();
                  if (holder.isEmpty() || until < now) {
                    generation = mine != 0 ? mine : Math.max(known, generation) + 1;
                    holder = id;
                    until = now + time.toMillis() / 1000.0;
                  } else if (holder.equals(id) && generation == mine) {
                    until = now + time.toMillis() / 1000.0;
                  }
                  var held = new Holder(generation, holder);
                  world.time.in(
                      delay(),
                      () -> {
                        if (there()) {
                          answer.accept(held);
                        }
                      });
                });
          }

          @Override
          public void release(String id) {
            if (holder.equals(id)) {
              holder = "";
            }
          }

          @Override
          public void close() {
            open = false;
          }
        };
    var fleet =
        new RemoteFleet(exchange, world.time, process.id(), process.id(), "there", process.replica);
    return fleet.start();
  }
}
