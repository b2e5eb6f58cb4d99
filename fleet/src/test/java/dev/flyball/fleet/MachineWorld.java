package dev.flyball.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Processes on one machine: sockets that end at once when their process does, and one lock. */
final class MachineWorld {
  final World world;
  private final Map<World.Member, Integer> lives = new LinkedHashMap<>();
  private @Nullable Keeper keeper;
  private World.@Nullable Member keeps;
  private final List<World.Member> connected = new ArrayList<>();

  MachineWorld(World world) {
    this.world = world;
  }

  @Nullable FleetView view() {
    return keeper == null ? null : keeper.view();
  }

  World.Member keeper() {
    var member = keeps;
    if (member == null) {
      throw new IllegalStateException("nobody is keeper now");
    }
    return member;
  }

  private double socket() {
    return 0.00005 + 0.0005 * world.random.nextDouble();
  }

  /** A process has begun, or began again. */
  void comes(World.Member process) {
    int life = process.life;
    lives.put(process, life);
    if (keeper == null) {
      keep(process, 1);
    } else {
      if (keeper().replica.standing() == Replica.Standing.ALONE) {
        connectKeeper();
      }
      connect(process);
    }
  }

  /** Killed before, it begins again: it finds the others before it asks anything. */
  void comesAgain(World.Member process) {
    process.start();
    comes(process);
    process.goOn();
  }

  private void keep(World.Member process, int expected) {
    keeps = process;
    keeper =
        new Keeper(world.time, process.id(), "here", now -> 0, Duration.ofMillis(300), expected);
    connected.clear();
    connected.add(process);
    if (process.replica.standing() != Replica.Standing.ALONE) {
      connectKeeper();
    }
  }

  private final class Line {
    private double sent;
    private double back;
    boolean open = true;

    void to(Runnable action) {
      sent = Math.max(sent, world.time.seconds() + socket());
      world.time.in(sent - world.time.seconds(), () -> when(action));
    }

    void from(Runnable action) {
      back = Math.max(back, world.time.seconds() + socket());
      world.time.in(back - world.time.seconds(), () -> when(action));
    }

    private void when(Runnable action) {
      if (open) {
        action.run();
      }
    }
  }

  private void connectKeeper() {
    var to = keeper;
    var process = keeps;
    if (to == null || process == null) {
      return;
    }
    var id = process.id();
    to.joined(id, process.replica::receive);
    process.replica.joinItself(message -> world.time.in(0, () -> to.receive(id, message)), 0);
  }

  private void connect(World.Member process) {
    var to = keeper;
    if (to == null) {
      return;
    }
    connected.add(process);
    int life = process.life;
    var line = new Line();
    var id = process.id();
    to.joined(
        id,
        message ->
            line.from(
                () -> {
                  if (process.alive && process.life == life && keeper == to) {
                    process.replica.receive(message);
                  }
                }));
    process.replica.join(
        message ->
            line.to(
                () -> {
                  if (keeper == to) {
                    to.receive(id, message);
                  }
                }),
        0,
        2_500_000_000L,
        () -> {});
  }

  /** Killed: its sockets are closed, and its lock is free. */
  void killed(World.Member process) {
    var left = keeper;
    var id = process.id();
    process.kill();
    connected.remove(process);
    if (process == keeps) {
      if (left != null) {
        left.close();
      }
      keeper = null;
      keeps = null;
      for (var other : connected) {
        other.replica.cutOff(0);
      }
      world.time.in(
          0.02,
          () -> {
            var there = world.processes.stream().filter(each -> each.alive).toList();
            if (keeper == null && !there.isEmpty()) {
              keep(there.getFirst(), there.size());
              for (var other : there.subList(1, there.size())) {
                world.time.in(0.01 * world.random.nextDouble(), () -> connect(other));
              }
            }
          });
    } else if (left != null) {
      left.left(id);
    }
  }
}
