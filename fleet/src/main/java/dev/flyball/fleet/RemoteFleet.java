package dev.flyball.fleet;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The fleet of processes on many machines, which meet over an {@link FleetExchange}.
 *
 * <h2>How it works</h2>
 *
 * Whoever has the lease is keeper, and renews it. It publishes for all replicas at once, so a
 * message of the keeper's is one command however many they are; and where much is going on, it
 * publishes five times a second and no more. The departures that it gives then are for a moment a
 * little later, {@link #LAG} after the limits let them go: all alike, so the stream of calls is the
 * one that the limits allowed, a little later. The keeper also says for how long replicas are to
 * collect what they have to say, so that all of it together is few commands for each call; they
 * have asked for calls that far ahead. They speak sooner when what they have asked for runs out,
 * and at once when they were turned away or have missed something.
 *
 * <h2>What must hold</h2>
 *
 * Nothing but the lease is kept outside. An exchange that was emptied or restarted has forgotten
 * nothing that matters: the keeper takes its lease again before others may. A keeper that could not
 * renew its lease for as long as others wait for it is keeper no more. Replicas believe the highest
 * generation, so one that was stopped and wakes is not heard. Clocks are never compared but through
 * what the keeper's messages say, and a moment is never taken for earlier than it is.
 *
 * <p>Long because one process may be keeper now and one of the others a moment later: both are
 * states of one thing, under one lock.
 *
 * <p>Its lock is taken before that of a replica and never under it.
 */
final class RemoteFleet implements AutoCloseable {
  static final Duration LEASE = Duration.ofMillis(2500);
  private static final long RENEW_EVERY = 500_000_000L;
  private static final long SILENCE = 2_000_000_000L;
  private static final long BEGINNING = 2_000_000_000L;

  /** After so long without a word a replica says that it is there. */
  private static final long SAY_SOMETHING_AFTER = 4_000_000_000L;

  /** After so long without a word a replica is taken for dead. */
  private static final long DEAD_AFTER = 13_000_000_000L;

  /** Heard of so many: nobody of that name is known here. */
  private static final long NOBODY = -1;

  private static final long LAG = 300_000_000L;
  private static final long KEEPER_EVERY = 200_000_000L;

  /** What replicas say is collected for so long at least, and at most. */
  private static final long SHORTEST_PAUSE = 250_000_000L;

  private static final long LONGEST_PAUSE = 2_500_000_000L;
  private static final long PAUSE_WHERE_LITTLE_GOES = 20_000_000L;

  /**
   * Where calls wait for others to end, and after refusals, it matters when it is heard of ends.
   */
  private static final long HURRIED_PAUSE_FOR_EACH = 8_000_000L;

  private static final long LEARNS_FOR = 3_000_000_000L;

  /** Commands for each departure, of the keeper and all others. */
  private static final double COMMANDS = 0.13;

  /** Departures a second from which the longest pause is as long as it can be. */
  private static final double VERY_MANY = 100;

  /** Calls of so many nanoseconds to come are asked for at least. */
  private static final long USUAL_ROUND_TRIP = 1_300_000_000L;

  /** That something was heard is not worth a message for so long. */
  private static final long PAUSE_BEFORE_THANKS = 300_000_000L;

  /** Alarms ring as early as this. */
  private static final long PUNCTUAL = 1_000_000L;

  private static final long SAY_AGAIN_AFTER = 600_000_000L;
  private static final long KEEPER_SAYS_AGAIN_AFTER = 700_000_000L;

  /** What was lost may only be late. */
  private static final long COMPLAIN_AFTER = 30_000_000L;

  private static final Duration GATHERS = Duration.ofMillis(600);

  /** Departures a second from which it pays to publish less often. */
  private static final int MANY = 50;

  private static final String ITSELF = "itself";

  /** What a replica sends. */
  record FromReplica(String from, long generation, Conversation.Part<FleetMessage.ToKeeper> part) {}

  /**
   * What the keeper sends, to each replica its part.
   *
   * @param collect for how long replicas are to collect what they say, in nanoseconds
   */
  record FromKeeper(
      String keeper,
      long generation,
      long clock,
      long collect,
      Map<String, Conversation.Part<FleetMessage.ToReplica>> parts) {}

  private static final JavaType REPLICAS =
      TypeFactory.defaultInstance().constructType(FromReplica.class);

  private final FleetExchange exchange;
  private final Time time;
  private final String id;
  private final String name;
  private final String place;
  private final Replica replica;
  private final ReentrantLock lock = new ReentrantLock();

  private long generation;
  private long startedAt;
  private boolean closed;

  // As keeper.
  private @Nullable Keeper keeper;
  private long renewed;
  private long publishedAt;
  private boolean publishing;
  private final Map<String, Conversation<FleetMessage.ToReplica, FleetMessage.ToKeeper>> others =
      new LinkedHashMap<>();
  private final Map<String, Long> lastHeardOf = new LinkedHashMap<>();
  private final Set<String> strangers = new LinkedHashSet<>();
  private boolean lagging;
  private long second;
  private int inSecond;
  private int inLastSecond;

  // As one of the others.
  private int sessions;
  private String session = "";
  private @Nullable Conversation<FleetMessage.ToKeeper, FleetMessage.ToReplica> toKeeper;
  private long saidAt;
  private long speaksAt = Long.MAX_VALUE;
  private long collects = PAUSE_WHERE_LITTLE_GOES;

  /** Calls that were asked for and not given: what the keeper knows of, and what it does not. */
  private int asked;

  private int toAsk;
  private boolean complains;
  private long heardAt;
  private long offset;

  RemoteFleet(
      FleetExchange exchange, Time time, String id, String name, String place, Replica replica) {
    this.exchange = exchange;
    this.time = time;
    this.id = id;
    this.name = name;
    this.place = place;
    this.replica = replica;
  }

  /** Takes part, as soon as somebody answers. */
  RemoteFleet start() {
    MessageJson.prepare();
    startedAt = time.nanos();
    publishedAt = startedAt - RENEW_EVERY;
    exchange.hear(FleetExchange.Channel.TO_REPLICAS, this::heardKeeper);
    exchange.hear(FleetExchange.Channel.TO_KEEPER, this::heardReplica);
    beat();
    return this;
  }

  /** Twice a second: whoever is keeper renews its lease, and the others see that it does. */
  private void beat() {
    boolean lost = false;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      long now = time.nanos();
      boolean begins = keeper == null && toKeeper == null && now - startedAt < BEGINNING;
      time.alarm(now + (begins ? RENEW_EVERY / 10 : RENEW_EVERY), this::beat);
      if (keeper != null && now - renewed > SILENCE) {
        abdicate();
        lost = true;
      } else if (keeper != null) {
        dropSilent(now);
        publishSoon(now - publishedAt >= RENEW_EVERY * 9 / 10);
      } else if (toKeeper != null && now - heardAt > SILENCE) {
        toKeeper = null;
        lost = true;
      } else if (toKeeper != null && now - saidAt > SAY_SOMETHING_AFTER) {
        saidAt = now;
        exchange.publish(
            FleetExchange.Channel.TO_KEEPER,
            MessageJson.write(new FromReplica(session, generation, toKeeper.part(now))));
      }
      if (keeper != null || toKeeper == null) {
        long mine = keeper == null ? 0 : generation;
        exchange.lease(id, generation, mine, LEASE, this::leased);
      }
      if (keeper == null && toKeeper == null) {
        // Whoever is keeper says so.
        exchange.publish(
            FleetExchange.Channel.TO_KEEPER,
            MessageJson.write(
                new FromReplica("", 0, new Conversation.Part<>(0, 0, false, List.of()))));
      }
    } finally {
      lock.unlock();
    }
    if (lost) {
      replica.cutOff(LAG + ReplicaLane.LATE);
    }
  }

  private void abdicate() {
    var old = keeper;
    keeper = null;
    others.clear();
    lastHeardOf.clear();
    strangers.clear();
    if (old != null) {
      // Its lock is never taken under this one.
      time.alarm(time.nanos(), old::close);
    }
  }

  private void leased(FleetExchange.Holder holder) {
    boolean begins = false;
    boolean lost = false;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      boolean mine = holder.id().equals(id);
      if (mine && keeper != null && holder.generation() == generation) {
        renewed = time.nanos();
      } else if (mine && keeper == null && toKeeper == null) {
        generation = Math.max(generation, holder.generation());
        renewed = time.nanos();
        begins = true;
      } else if (!mine && keeper != null) {
        abdicate();
        lost = true;
      }
    } finally {
      lock.unlock();
    }
    if (lost) {
      replica.cutOff(LAG + ReplicaLane.LATE);
    }
    if (begins) {
      keep();
    }
  }

  // ---- as keeper ----

  private void keep() {
    boolean alone = replica.standing() == Replica.Standing.ALONE;
    int expected = alone ? 1 : Math.max(1, replica.count() - 1);
    Keeper mine;
    lock.lock();
    try {
      mine = new Keeper(time, name, place, this::leavesAt, GATHERS, expected);
      keeper = mine;
    } finally {
      lock.unlock();
    }
    if (!alone) {
      // It knows the past of its lanes, and is to open their books.
      joinItself(mine);
    }
    lock.lock();
    try {
      publishSoon(true);
    } finally {
      lock.unlock();
    }
  }

  private void joinItself(Keeper mine) {
    mine.joined(ITSELF, replica::receive);
    replica.joinItself(
        message -> time.alarm(time.nanos(), () -> mine.receive(ITSELF, message)), LAG / 1e9);
  }

  /** Where much goes on, departures are all a little later. */
  private long leavesAt(long now) {
    lock.lock();
    try {
      long in = now / 1_000_000_000L;
      if (in != second) {
        inLastSecond = in == second + 1 ? inSecond : 0;
        inSecond = 0;
        second = in;
      }
      inSecond++;
      int rate = Math.max(inSecond, inLastSecond);
      // Where little goes, the lag would only keep calls in flight for longer.
      lagging = !others.isEmpty() && rate >= (lagging ? MANY / 2 : MANY);
      return lagging ? now + LAG : now;
    } finally {
      lock.unlock();
    }
  }

  /** For how long replicas are to collect what they say, so that it is few commands a call. */
  private long collect() {
    var mine = keeper;
    int rate = Math.max(inSecond, inLastSecond);
    if (!lagging || mine == null || rate < MANY) {
      return PAUSE_WHERE_LITTLE_GOES;
    }
    if (mine.waitsForSlots() || time.nanos() - mine.refusedAt() < LEARNS_FOR) {
      return Math.max(PAUSE_WHERE_LITTLE_GOES, others.size() * HURRIED_PAUSE_FOR_EACH);
    }
    double left = COMMANDS * rate - 1e9 / KEEPER_EVERY - 1e9 / RENEW_EVERY;
    double longest = LONGEST_PAUSE * Math.min(1, rate / VERY_MANY);
    double pause = left > 0 ? others.size() * 1e9 / left : longest;
    return (long) Math.max(SHORTEST_PAUSE, Math.min(longest, pause));
  }

  private void dropSilent(long now) {
    var silent =
        lastHeardOf.entrySet().stream()
            .filter(each -> now - each.getValue() > DEAD_AFTER)
            .map(Map.Entry::getKey)
            .toList();
    for (var each : silent) {
      others.remove(each);
      lastHeardOf.remove(each);
      var mine = keeper;
      if (mine != null) {
        time.alarm(now, () -> mine.left(each));
      }
    }
  }

  private void heardReplica(String text) {
    FromReplica said;
    try {
      said = MessageJson.read(text, REPLICAS);
    } catch (IOException strange) {
      return;
    }
    Keeper mine;
    boolean comes = false;
    var news = new ArrayList<FleetMessage.ToKeeper>();
    lock.lock();
    try {
      mine = keeper;
      if (mine == null || closed) {
        return;
      }
      if (said.from().isEmpty()) {
        publishSoon(true);
        return;
      }
      if (said.generation() != generation) {
        return;
      }
      var known = others.get(said.from());
      if (known == null && said.part().sequence() == 1) {
        known = new Conversation<>(KEEPER_SAYS_AGAIN_AFTER);
        others.put(said.from(), known);
        comes = true;
      }
      if (known == null) {
        // It was taken for dead, or its first word was lost; it is to come anew.
        strangers.add(said.from());
        publishSoon(false);
        return;
      }
      lastHeardOf.put(said.from(), time.nanos());
      known.receive(said.part(), time.nanos(), news::add);
      if (known.misses() || said.part().misses()) {
        publishSoon(true);
      }
    } finally {
      lock.unlock();
    }
    if (comes) {
      mine.joined(said.from(), message -> tell(said.from(), message));
      boolean takesPart = news.stream().anyMatch(FleetMessage.Hello.class::isInstance);
      if (takesPart && replica.standing() == Replica.Standing.ALONE) {
        joinItself(mine);
      }
    }
    // What this process has under way is charged before others ask.
    news.forEach(message -> time.alarm(time.nanos(), () -> mine.receive(said.from(), message)));
    if (news.stream().anyMatch(FleetMessage.Bye.class::isInstance)) {
      lock.lock();
      try {
        others.remove(said.from());
        lastHeardOf.remove(said.from());
      } finally {
        lock.unlock();
      }
    }
  }

  private void tell(String to, FleetMessage.ToReplica message) {
    lock.lock();
    try {
      var other = others.get(to);
      if (other != null) {
        other.say(message);
        publishSoon(false);
      }
    } finally {
      lock.unlock();
    }
  }

  private void publishSoon(boolean now) {
    if (keeper != null && (!publishing || now)) {
      long clock = time.nanos();
      long at = now || !lagging ? clock : Math.max(clock, publishedAt + KEEPER_EVERY);
      publishing = true;
      time.alarm(at, this::publish);
    }
  }

  private void publish() {
    lock.lock();
    try {
      publishing = false;
      if (keeper == null || closed) {
        return;
      }
      long now = time.nanos();
      long collect = collect();
      var parts = new LinkedHashMap<String, Conversation.Part<FleetMessage.ToReplica>>();
      others.forEach(
          (to, other) -> {
            other.patience(collect + KEEPER_SAYS_AGAIN_AFTER);
            // Who has not said that it has heard all sees by the number whether it has.
            if (other.wants(now) || other.owes() || other.waits()) {
              parts.put(to, other.part(now));
            }
          });
      strangers.forEach(
          stranger ->
              parts.putIfAbsent(stranger, new Conversation.Part<>(0, NOBODY, false, List.of())));
      strangers.clear();
      if (parts.isEmpty() && now - publishedAt < RENEW_EVERY / 2) {
        return;
      }
      publishedAt = now;
      exchange.publish(
          FleetExchange.Channel.TO_REPLICAS,
          MessageJson.write(new FromKeeper(id, generation, now, collect, parts)));
    } finally {
      lock.unlock();
    }
  }

  // ---- as one of the others ----

  private void heardKeeper(String text) {
    FromKeeper said;
    try {
      said = MessageJson.read(text, FromKeeper.class);
    } catch (IOException strange) {
      return;
    }
    boolean joins = false;
    boolean lost = false;
    var news = new ArrayList<FleetMessage.ToReplica>();
    lock.lock();
    try {
      if (closed || said.keeper().equals(id) || said.generation() < generation) {
        return;
      }
      long now = time.nanos();
      if (keeper != null) {
        // Somebody has a newer lease.
        abdicate();
        lost = true;
      }
      if (toKeeper != null && said.generation() > generation) {
        toKeeper = null;
        lost = true;
      }
      generation = said.generation();
      heardAt = now;
      var part = said.parts().get(session);
      boolean forgotten = part != null && part.heard() == NOBODY;
      if (toKeeper == null || forgotten) {
        joins = true;
        collects = PAUSE_WHERE_LITTLE_GOES;
        asked = 0;
        toAsk = 0;
        offset = now - said.clock();
        sessions++;
        session = id + "." + sessions;
        toKeeper = new Conversation<>(SAY_AGAIN_AFTER);
      } else {
        offset = Math.min(offset + 20_000, now - said.clock());
        collects = Math.clamp(said.collect(), PAUSE_WHERE_LITTLE_GOES, LONGEST_PAUSE);
        replica.roundTrip(Math.max(USUAL_ROUND_TRIP, LAG + KEEPER_EVERY + collects) / 1e9);
        if (part != null) {
          toKeeper.receive(part, now, message -> news.add(onThisClock(message)));
          if (toKeeper.misses() && !complains) {
            complains = true;
            time.alarm(now + COMPLAIN_AFTER, this::complain);
          }
          if (toKeeper.waitsTooLong(now)) {
            saySoon(true);
          } else if (toKeeper.wants(now)) {
            saySoon(false);
          } else if (toKeeper.owes()) {
            // It goes along with the next that is said.
            sayAt(Math.max(now, saidAt) + Math.max(collects, PAUSE_BEFORE_THANKS));
          }
        }
      }
    } finally {
      lock.unlock();
    }
    if (lost) {
      replica.cutOff(LAG + ReplicaLane.LATE);
    }
    if (joins) {
      replica.join(this::say, USUAL_ROUND_TRIP / 1e9, Long.MAX_VALUE, () -> {});
    }
    news.forEach(replica::receive);
  }

  private FleetMessage.ToReplica onThisClock(FleetMessage.ToReplica message) {
    if (message instanceof FleetMessage.Go(var lane, var departures)) {
      asked = Math.max(0, asked - departures.size());
      return new FleetMessage.Go(
          lane,
          departures.stream()
              .map(
                  one ->
                      one.at() == 0
                          ? one
                          : new FleetMessage.Departure(one.number(), one.at() + offset))
              .toList());
    }
    return message;
  }

  /** Called under the replica's lock: what it says is sent a little later. */
  private void say(FleetMessage.ToKeeper message) {
    time.alarm(time.nanos(), () -> sayNow(message));
  }

  private void sayNow(FleetMessage.ToKeeper message) {
    lock.lock();
    try {
      if (toKeeper != null && !closed) {
        toKeeper.say(message);
        if (message instanceof FleetMessage.Ask ask) {
          toAsk += ask.calls().size();
        }
        saySoon(isUrgent(message));
      }
    } finally {
      lock.unlock();
    }
  }

  private static boolean isUrgent(FleetMessage.ToKeeper message) {
    return switch (message) {
      case FleetMessage.Hello hello -> true;
      case FleetMessage.Open open -> true;
      case FleetMessage.Ended ended ->
          ended.kind() == dev.flyball.call.Reply.Kind.THROTTLED
              || ended.kind() == dev.flyball.call.Reply.Kind.OVERLOADED;
      case FleetMessage.Bye bye -> true;
      case FleetMessage.Look look -> true;
      case FleetMessage.Ask ask -> false;
      case FleetMessage.Drop drop -> false;
      case FleetMessage.Headers headers -> false;
      case FleetMessage.Ping ping -> false;
    };
  }

  /** What was missed has not come meanwhile. */
  private void complain() {
    lock.lock();
    try {
      complains = false;
      if (toKeeper != null && toKeeper.misses()) {
        saySoon(true);
      }
    } finally {
      lock.unlock();
    }
  }

  private void saySoon(boolean now) {
    long clock = time.nanos();
    // Whoever has asked for less than it is about to ask is soon without a departure.
    boolean dry = toAsk > 0 && toAsk >= asked;
    long pause = dry ? Math.min(collects, SHORTEST_PAUSE) : collects;
    sayAt(now ? clock : Math.max(clock + 2_000_000, saidAt + pause));
  }

  private void sayAt(long at) {
    if (at < speaksAt) {
      speaksAt = at;
      time.alarm(at, this::speak);
    }
  }

  private void speak() {
    lock.lock();
    try {
      var conversation = toKeeper;
      long now = time.nanos();
      if (now + PUNCTUAL < speaksAt) {
        // This alarm was for an earlier plan.
        return;
      }
      speaksAt = Long.MAX_VALUE;
      if (conversation == null || closed) {
        return;
      }
      if (conversation.wants(now) || conversation.owes() || conversation.misses()) {
        saidAt = now;
        asked += toAsk;
        toAsk = 0;
        exchange.publish(
            FleetExchange.Channel.TO_KEEPER,
            MessageJson.write(new FromReplica(session, generation, conversation.part(now))));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether it is keeper, or has heard of one. */
  boolean hasPlace() {
    lock.lock();
    try {
      return keeper != null || toKeeper != null;
    } finally {
      lock.unlock();
    }
  }

  boolean keeps() {
    lock.lock();
    try {
      return keeper != null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    Keeper mine;
    lock.lock();
    try {
      mine = keeper;
    } finally {
      lock.unlock();
    }
    if (mine != null) {
      mine.standNow();
      publish();
    } else {
      sayNow(new FleetMessage.Bye());
      lock.lock();
      try {
        speaksAt = Long.MIN_VALUE;
      } finally {
        lock.unlock();
      }
      speak();
    }
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    if (mine != null) {
      mine.close();
      exchange.release(id);
    }
    exchange.close();
  }
}
