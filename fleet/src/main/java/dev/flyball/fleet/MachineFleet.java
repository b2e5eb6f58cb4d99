package dev.flyball.fleet;

import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The fleet of one user's processes on one machine, which needs nothing but a folder that is the
 * user's alone.
 *
 * <p>Whoever has the lock of a file there is keeper and listens on a socket beside it; whoever has
 * not, connects. When a keeper dies the system frees its lock and closes its sockets: all others
 * know at once, and the first to take the lock is the next. A socket is deleted only by who has the
 * lock. As long as there is one process, nothing but a thread that waits for others is there.
 *
 * <p>A keeper that is stopped and not dead keeps its lock. The others go on with their parts of the
 * limits until it wakes.
 */
final class MachineFleet implements AutoCloseable {
  /** The longest path of a socket that every system takes. */
  private static final int LONGEST_PATH = 100;

  private static final String LOCK = "keeper-1.lock";
  private static final String SOCKET = "keeper-1.sock";
  private static final String ITSELF = "itself";
  private static final long SILENCE = 6_000_000_000L;
  private static final Duration GATHERS = Duration.ofMillis(250);
  private static final long TRY_EVERY = 10_000_000L;
  private static final long TRY_RARELY = 500_000_000L;
  private static final long TRY_OFTEN_FOR = 3_000_000_000L;
  private static final Duration BEGINNING = Duration.ofMillis(500);

  private final Path folder;
  private final Path socket;
  private final Time time;
  private final String name;
  private final Replica replica;
  private final MachineLock keeperLock;
  private final ReentrantLock lock = new ReentrantLock();
  private final ConcurrentHashMap<String, SocketLine> lines = new ConcurrentHashMap<>();
  private final AtomicLong comers = new AtomicLong();
  private @Nullable Keeper keeper;
  private @Nullable ServerSocketChannel door;
  private @Nullable SocketLine toKeeper;
  private long lostAt;
  private boolean closed;

  private MachineFleet(Path folder, Time time, String name, Replica replica) {
    this.folder = folder;
    this.socket = folder.resolve(SOCKET);
    this.time = time;
    this.name = name;
    this.replica = replica;
    this.keeperLock = MachineLock.of(folder.resolve(LOCK));
  }

  /**
   * Takes part.
   *
   * @param folder exists, and nobody else may look into it
   * @throws IOException if nobody can meet there
   */
  static MachineFleet join(Path folder, Time time, String name, Replica replica)
      throws IOException {
    var fleet = new MachineFleet(folder, time, name, replica);
    int length = fleet.socket.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > LONGEST_PATH) {
      throw new IOException(
          "the path of a socket has at most %d bytes, but %s has %d"
              .formatted(LONGEST_PATH, fleet.socket, length));
    }
    long until = time.nanos() + BEGINNING.toNanos();
    while (!fleet.findsPlace()) {
      if (time.nanos() > until) {
        // Somebody has the lock and does not answer: it may be stopped.
        fleet.keeperIsLost();
        break;
      }
      try {
        TimeUnit.NANOSECONDS.sleep(TRY_EVERY);
      } catch (InterruptedException hurried) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    return fleet;
  }

  /** Becomes keeper, or finds one. */
  private boolean findsPlace() throws IOException {
    lock.lock();
    try {
      if (closed) {
        return true;
      }
      if (keeperLock.take()) {
        try {
          keep();
        } catch (IOException | RuntimeException impossible) {
          keeperLock.release();
          throw impossible;
        }
        return true;
      }
    } finally {
      lock.unlock();
    }
    return connects();
  }

  // ---- as keeper ----

  private void keep() throws IOException {
    Files.deleteIfExists(socket);
    var opened = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      opened.bind(UnixDomainSocketAddress.of(socket));
    } catch (IOException | RuntimeException impossible) {
      opened.close();
      throw impossible;
    }
    // Whoever shared before goes on sharing; the old keeper is one less.
    boolean alone = replica.standing() == Replica.Standing.ALONE;
    int expected = alone ? 1 : Math.max(1, replica.count() - 1);
    var mine = new Keeper(time, name, folder.toString(), now -> 0, GATHERS, expected);
    keeper = mine;
    door = opened;
    if (!alone) {
      // It knows the past of its lanes, and is to open their books.
      joinItself(mine);
    }
    Thread.ofPlatform().daemon().name("flyball-fleet-door").start(() -> accept(opened, mine));
  }

  private void joinItself(Keeper mine) {
    mine.joined(ITSELF, replica::receive);
    replica.joinItself(message -> time.alarm(time.nanos(), () -> mine.receive(ITSELF, message)), 0);
  }

  private void accept(ServerSocketChannel opened, Keeper mine) {
    try {
      while (opened.isOpen()) {
        var channel = opened.accept();
        var id = "p" + comers.incrementAndGet();
        var line =
            new SocketLine(
                channel,
                text -> heard(mine, id, text),
                () -> {
                  lines.remove(id);
                  mine.left(id);
                });
        lines.put(id, line);
        mine.joined(id, line::send);
        line.start();
      }
    } catch (IOException over) {
      // The door is closed.
    }
  }

  private void heard(Keeper mine, String id, String text) {
    try {
      var message = MessageJson.read(text, FleetMessage.ToKeeper.class);
      if (message instanceof FleetMessage.Hello) {
        lock.lock();
        try {
          if (replica.standing() == Replica.Standing.ALONE && keeper == mine && !closed) {
            joinItself(mine);
          }
        } finally {
          lock.unlock();
        }
        // What this process has under way is charged before others ask.
        time.alarm(time.nanos(), () -> mine.receive(id, message));
      } else {
        time.alarm(time.nanos(), () -> mine.receive(id, message));
      }
    } catch (IOException strange) {
      var line = lines.get(id);
      if (line != null) {
        line.close();
      }
    }
  }

  // ---- as one of the others ----

  private boolean connects() throws IOException {
    SocketChannel channel;
    try {
      channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    } catch (IOException nobodyThere) {
      return false;
    }
    // The first message takes long to write, and nobody is to wait for this process then.
    MessageJson.prepare();
    var mine = new SocketLine[1];
    var line = new SocketLine(channel, this::heard, () -> lost(mine[0]));
    mine[0] = line;
    lock.lock();
    try {
      if (closed) {
        channel.close();
        return true;
      }
      toKeeper = line;
    } finally {
      lock.unlock();
    }
    replica.join(line::send, 0, SILENCE, line::close);
    line.start();
    return true;
  }

  private void heard(String text) {
    try {
      replica.receive(MessageJson.read(text, FleetMessage.ToReplica.class));
    } catch (IOException strange) {
      var line = toKeeper;
      if (line != null) {
        line.close();
      }
    }
  }

  private void lost(SocketLine line) {
    lock.lock();
    try {
      if (closed || toKeeper != line) {
        return;
      }
      toKeeper = null;
    } finally {
      lock.unlock();
    }
    keeperIsLost();
  }

  private void keeperIsLost() {
    replica.cutOff(ReplicaLane.LATE);
    lostAt = time.nanos();
    Thread.ofPlatform().daemon().name("flyball-fleet-search").start(this::search);
  }

  private void search() {
    try {
      while (!findsPlace()) {
        boolean often = time.nanos() - lostAt < TRY_OFTEN_FOR;
        TimeUnit.NANOSECONDS.sleep(often ? TRY_EVERY : TRY_RARELY);
      }
    } catch (IOException impossible) {
      // The folder is gone: the part of the limits that was known goes on.
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks at the fleet that meets in a folder, without taking part; empty if nobody is there. */
  static Optional<FleetView> look(Path folder, Duration longest) {
    var answer = new ArrayBlockingQueue<FleetView>(1);
    var path = folder.resolve(SOCKET);
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
        var line =
            new SocketLine(
                channel,
                text -> {
                  try {
                    if (MessageJson.read(text, FleetMessage.ToReplica.class)
                        instanceof FleetMessage.Shown(var view)) {
                      answer.offer(view);
                    }
                  } catch (IOException strange) {
                    // As if nobody had answered.
                  }
                },
                () -> {})) {
      line.start();
      line.send(new FleetMessage.Look());
      return Optional.ofNullable(answer.poll(longest.toMillis(), TimeUnit.MILLISECONDS));
    } catch (IOException nobody) {
      return Optional.empty();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Whether this process keeps the books. */
  boolean keeps() {
    lock.lock();
    try {
      return keeper != null;
    } finally {
      lock.unlock();
    }
  }

  /** Leaves. What others have to know they know a moment later. */
  @Override
  public void close() {
    Keeper mine;
    SocketLine line;
    ServerSocketChannel opened;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      mine = keeper;
      line = toKeeper;
      opened = door;
      toKeeper = null;
    } finally {
      lock.unlock();
    }
    if (line != null) {
      line.send(new FleetMessage.Bye());
      line.finish();
    }
    if (mine != null && opened != null) {
      mine.standNow();
      mine.close();
      try {
        opened.close();
        Files.deleteIfExists(socket);
      } catch (IOException goneAnyway) {
        // Whoever comes next makes it anew.
      }
      List.copyOf(lines.values()).forEach(SocketLine::finish);
      keeperLock.release();
    }
  }
}
