package dev.flyball.fleet;

import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Priority;
import dev.flyball.call.RetryPolicy;
import dev.flyball.call.Tenant;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.LaneSnapshot;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.Time;
import dev.flyball.scheduler.Waiter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The one of a fleet who keeps its books.
 *
 * <h2>How it works</h2>
 *
 * For each lane the keeper runs a scheduler of its own, in which every call that waits anywhere in
 * the fleet has a place, as a tenant's call of its replica. When the limits let such a call go, its
 * replica is given a departure; what its reply says is told to the keeper, and settled there. So
 * the fleet behaves as one process would that had all the calls: what headers state, what is felt
 * through refusals, pauses, slots, foreign use and the weights of shares are the same code, fed
 * with everybody's evidence.
 *
 * <p>Nothing is stored. Every replica knows what the fleet has learned ({@link
 * FleetMessage.Standing}) and what it has under way itself; whoever is keeper next is told both,
 * and charges what is under way before anything goes.
 *
 * <h2>What must hold</h2>
 *
 * A departure that nobody used in time stays charged, because the provider's bucket may have been
 * full meanwhile. A replica that is gone leaves what it had under way charged, and its calls that
 * waited leave nothing.
 *
 * <p>One lock. What it is told never blocks for longer than a lane's lock is held, and posts never
 * block.
 *
 * <p>Long because everything here needs that lock, and what it shows people is read under it too.
 */
final class Keeper implements AutoCloseable {
  /** The way to one replica; messages arrive in order or not at all, and sending never blocks. */
  @FunctionalInterface
  interface Post {
    void send(FleetMessage.ToReplica message);
  }

  private static final int MOST_IN_FLIGHT = 1 << 14;

  /** Replicas try again, and ask for each attempt. */
  private static final RetryPolicy NO_RETRIES =
      new RetryPolicy(0, RetryPolicy.USUAL.base(), RetryPolicy.USUAL.cap(), 1);

  private static final Duration STANDING_EVERY = Duration.ofSeconds(1);
  private static final Duration STANDING_AT_FIRST = Duration.ofMillis(200);

  /** A call of a replica, in its place in the fleet's lane. */
  private static final class Place {
    final MemberLane of;
    final long number;
    @Nullable Waiter<String> waiter;
    @Nullable Permit<String> permit;

    Place(MemberLane of, long number) {
      this.of = of;
      this.number = number;
    }

    /** Nobody wants it any longer. */
    void drop(boolean charged) {
      if (permit != null) {
        if (charged) {
          permit.lost();
        } else {
          permit.close();
        }
      } else if (waiter != null) {
        waiter.withdraw();
      }
    }
  }

  /** A lane of the fleet, with the scheduler that has everybody's calls. */
  private static final class SharedBook {
    final LaneId id;
    final Flyball flyball;
    boolean toldSoon;
    boolean toldBefore;

    SharedBook(LaneId id, Flyball flyball) {
      this.id = id;
      this.flyball = flyball;
    }

    @Nullable LaneSnapshot snapshot() {
      var lanes = flyball.snapshot().lanes();
      return lanes.isEmpty() ? null : lanes.getFirst();
    }
  }

  /** One replica's part of a lane. */
  private static final class MemberLane {
    final Member member;
    final int handle;
    final SharedBook book;
    final Map<Long, Place> places = new HashMap<>();
    final List<FleetMessage.Departure> departures = new ArrayList<>();

    MemberLane(Member member, int handle, SharedBook book) {
      this.member = member;
      this.handle = handle;
      this.book = book;
    }
  }

  private static final class Member {
    final String id;
    final Post post;
    final Map<Integer, MemberLane> lanes = new LinkedHashMap<>();
    final List<FleetMessage.Ask> early = new ArrayList<>();
    String name = "";
    double weight = 1;
    boolean takesPart;
    long departures;

    Member(String id, Post post) {
      this.id = id;
      this.post = post;
    }

    Tenant tenant() {
      return new Tenant(id, weight);
    }
  }

  private final Time time;
  private final String name;
  private final String place;
  private final LongUnaryOperator leavesAt;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Member> members = new LinkedHashMap<>();
  private final Map<LaneId, SharedBook> books = new LinkedHashMap<>();
  private final Queue<Place> woken = new ConcurrentLinkedQueue<>();

  /** Before this moment nothing goes, unless so many have come. */
  private long opensAt;

  private final int expected;
  private boolean closed;

  /**
   * A keeper that nobody has talked to yet.
   *
   * @param name who it is, for people
   * @param place where the fleet meets, for people
   * @param leavesAt at what moment a call leaves that may go now; 0 for at once
   * @param gathers how long it waits for those who were there under the last keeper
   * @param expected how many they are, with the keeper's own replica
   */
  Keeper(
      Time time,
      String name,
      String place,
      LongUnaryOperator leavesAt,
      Duration gathers,
      int expected) {
    this.time = time;
    this.name = name;
    this.place = place;
    this.leavesAt = leavesAt;
    this.opensAt = expected > 1 ? time.nanos() + gathers.toNanos() : Long.MIN_VALUE;
    this.expected = expected;
    if (expected > 1) {
      time.alarm(opensAt, () -> locked(this::openIfGathered));
    }
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
      deliver();
    } finally {
      lock.unlock();
    }
  }

  /** Somebody can be talked to. */
  void joined(String id, Post post) {
    locked(
        () -> {
          leave(id);
          members.put(id, new Member(id, post));
        });
  }

  /** Somebody is gone, or cannot be talked to. */
  void left(String id) {
    locked(() -> leave(id));
  }

  private void leave(String id) {
    var member = members.remove(id);
    if (member != null) {
      for (var lane : member.lanes.values()) {
        List.copyOf(lane.places.values()).forEach(each -> each.drop(true));
        lane.places.clear();
        lane.departures.clear();
      }
      if (member.takesPart) {
        tellMembers();
      }
    }
  }

  /** How many take part. */
  int count() {
    lock.lock();
    try {
      return (int) members.values().stream().filter(member -> member.takesPart).count();
    } finally {
      lock.unlock();
    }
  }

  /** A replica says something; who is not known is not heard. */
  void receive(String id, FleetMessage.ToKeeper message) {
    locked(
        () -> {
          var member = members.get(id);
          if (member != null && !closed) {
            receive(member, message);
          }
        });
  }

  private void receive(Member member, FleetMessage.ToKeeper message) {
    switch (message) {
      case FleetMessage.Hello hello -> hello(member, hello);
      case FleetMessage.Open open -> open(member, open);
      case FleetMessage.Ask ask -> {
        if (time.nanos() < opensAt) {
          member.early.add(ask);
        } else {
          ask(member, ask);
        }
      }
      case FleetMessage.Drop(var handle, var numbers, var late) -> {
        for (long number : numbers) {
          var dropped = remove(member, handle, number);
          if (dropped != null) {
            dropped.drop(late);
          }
        }
      }
      case FleetMessage.Headers(var handle, var number, var signals) -> {
        var lane = member.lanes.get(handle);
        var sighted = lane == null ? null : lane.places.get(number);
        if (sighted != null && sighted.permit != null) {
          sighted.permit.sighted(signals);
        }
      }
      case FleetMessage.Ended ended -> {
        var over = remove(member, ended.lane(), ended.number());
        if (over != null && over.permit != null) {
          over.permit.settle(FleetMessage.reply(ended));
          standSoon(over.of.book);
        }
      }
      case FleetMessage.Ping ping -> tellMembers(member);
      case FleetMessage.Look look -> member.post.send(new FleetMessage.Shown(view()));
      case FleetMessage.Bye bye -> leave(member.id);
    }
  }

  private static @Nullable Place remove(Member member, int handle, long number) {
    var lane = member.lanes.get(handle);
    return lane == null ? null : lane.places.remove(number);
  }

  private void hello(Member member, FleetMessage.Hello hello) {
    if (hello.version() != FleetMessage.VERSION) {
      var why = "the keeper of this fleet runs another version of flyball; update one of them";
      member.post.send(new FleetMessage.Refused(why));
      return;
    }
    member.name = hello.name();
    member.weight = hello.weight() > 0 && hello.weight() < 1e9 ? hello.weight() : 1;
    member.takesPart = true;
    hello.lanes().forEach(open -> open(member, open));
    tellMembers();
    openIfGathered();
  }

  private void openIfGathered() {
    if (opensAt == Long.MIN_VALUE) {
      return;
    }
    if (time.nanos() >= opensAt || count() >= expected) {
      opensAt = Long.MIN_VALUE;
      for (var member : members.values()) {
        var asks = List.copyOf(member.early);
        member.early.clear();
        asks.forEach(ask -> ask(member, ask));
      }
    }
  }

  private void tellMembers() {
    members.values().forEach(this::tellMembers);
  }

  private void tellMembers(Member member) {
    int rank = 0;
    int count = 0;
    for (var each : members.values()) {
      if (each.takesPart) {
        count++;
        rank += each.id.compareTo(member.id) < 0 ? 1 : 0;
      }
    }
    if (member.takesPart) {
      member.post.send(new FleetMessage.Members(count, rank));
    }
  }

  private void open(Member member, FleetMessage.Open open) {
    var book = books.computeIfAbsent(open.id(), id -> book(open));
    var lane = new MemberLane(member, open.lane(), book);
    member.lanes.put(open.lane(), lane);
    for (var gone : open.gone()) {
      var call = call(member, book, gone.estimate(), gone.kind(), Priority.NORMAL);
      Permit<String> permit = book.flyball.adopt(call);
      if (gone.over()) {
        permit.lost();
      } else {
        var under = new Place(lane, gone.number());
        under.permit = permit;
        lane.places.put(gone.number(), under);
      }
    }
    standSoon(book);
  }

  private SharedBook book(FleetMessage.Open open) {
    var flyball =
        Flyball.builder()
            .time(time)
            .retries(NO_RETRIES)
            .mostInFlight(MOST_IN_FLIGHT)
            .maxWait(ChronoUnit.FOREVER.getDuration())
            .profiles(lane -> open.profile())
            .memory(new LearnedLimits(Map.of(open.id(), open.learned())))
            .build();
    return new SharedBook(open.id(), flyball);
  }

  private static Call call(
      Member member, SharedBook book, Estimate estimate, String kind, Priority priority) {
    return Call.to(book.id).estimated(estimate).kind(kind).priority(priority).on(member.tenant());
  }

  private void ask(Member member, FleetMessage.Ask ask) {
    var lane = member.lanes.get(ask.lane());
    if (lane == null) {
      return;
    }
    for (var wanted : ask.calls()) {
      long patience = Math.clamp(wanted.patienceMillis(), 0, Duration.ofDays(366).toMillis());
      var priority = new Priority(Duration.ofMillis(patience));
      var call = call(member, lane.book, wanted.estimate(), wanted.kind(), priority);
      var waits = new Place(lane, wanted.number());
      lane.places.put(wanted.number(), waits);
      waits.waiter = lane.book.flyball.enter(call, () -> wake(waits));
    }
    standSoon(lane.book);
  }

  /** The limits have decided about a call. No lane's lock is held. */
  private void wake(Place decided) {
    woken.add(decided);
    if (!lock.isHeldByCurrentThread()) {
      locked(() -> {});
    }
  }

  /** Gives departures to those whose calls may go. */
  private void deliver() {
    var given = new ArrayList<MemberLane>(0);
    for (var next = woken.poll(); next != null; next = woken.poll()) {
      var waiter = next.waiter;
      if (waiter == null || next.permit != null) {
        continue;
      }
      var lane = next.of;
      boolean wanted = lane.places.get(next.number) == next;
      switch (waiter.admission()) {
        case Admission.Granted<String>(var permit) -> {
          next.permit = permit;
          if (!wanted) {
            permit.close();
          } else {
            if (lane.departures.isEmpty()) {
              given.add(lane);
            }
            lane.departures.add(
                new FleetMessage.Departure(next.number, leavesAt.applyAsLong(time.nanos())));
            lane.member.departures++;
          }
        }
        case Admission.Refused<String> refused -> {
          if (wanted) {
            lane.places.remove(next.number);
            lane.member.post.send(new FleetMessage.Again(lane.handle, next.number));
          }
        }
        case Admission.Wait<String> wait -> {}
      }
    }
    for (var lane : given) {
      lane.member.post.send(new FleetMessage.Go(lane.handle, List.copyOf(lane.departures)));
      lane.departures.clear();
    }
    if (!woken.isEmpty()) {
      deliver();
    }
  }

  /** In a while, everybody is told how a lane stands. */
  private void standSoon(SharedBook book) {
    if (!book.toldSoon && !closed) {
      book.toldSoon = true;
      var pause = book.toldBefore ? STANDING_EVERY : STANDING_AT_FIRST;
      book.toldBefore = true;
      time.alarm(time.nanos() + pause.toNanos(), () -> locked(() -> stand(book)));
    }
  }

  private void stand(SharedBook book) {
    book.toldSoon = false;
    if (closed) {
      return;
    }
    var learned = book.flyball.memory().of(book.id).orElse(LearnedLimits.OfLane.NOTHING);
    var snapshot = book.snapshot();
    var waits =
        snapshot == null
            ? Constraint.SHARED.name()
            : snapshot.waitingFor().map(Constraint::name).orElse(Constraint.SHARED.name());
    for (var member : members.values()) {
      for (var lane : member.lanes.values()) {
        if (lane.book == book) {
          member.post.send(new FleetMessage.Standing(lane.handle, learned, waits));
        }
      }
    }
  }

  /** Everybody is told at once how all lanes stand, because this keeper is about to go. */
  void standNow() {
    locked(() -> books.values().forEach(this::stand));
  }

  FleetView view() {
    lock.lock();
    try {
      var replicas =
          members.values().stream().filter(member -> member.takesPart).map(Keeper::view).toList();
      var lanes =
          books.values().stream()
              .sorted(Comparator.comparing(book -> book.id.toString()))
              .map(Keeper::view)
              .toList();
      return new FleetView(name, place, replicas, lanes);
    } finally {
      lock.unlock();
    }
  }

  private static FleetView.Member view(Member member) {
    int inFlight = 0;
    int waiting = 0;
    for (var lane : member.lanes.values()) {
      for (var each : lane.places.values()) {
        inFlight += each.permit != null ? 1 : 0;
        waiting += each.permit == null ? 1 : 0;
      }
    }
    return new FleetView.Member(member.name, member.weight, waiting, inFlight, member.departures);
  }

  private static FleetView.Shared view(SharedBook book) {
    var lane = book.snapshot();
    if (lane == null) {
      return new FleetView.Shared(
          book.id.toString(),
          0,
          0,
          java.util.Optional.empty(),
          java.util.Optional.empty(),
          List.of());
    }
    var limits = new ArrayList<FleetView.Limit>();
    for (var gauge : lane.gauges()) {
      limits.add(
          new FleetView.Limit(
              gauge.dimension().toString(),
              gauge.limit().orElse(0),
              gauge.perSecond(),
              gauge.level()));
    }
    if (lane.pacePerSecond() > 0) {
      limits.add(new FleetView.Limit("requests (felt)", 0, lane.pacePerSecond(), 0));
    }
    return new FleetView.Shared(
        book.id.toString(),
        lane.inFlight(),
        lane.waiting(),
        lane.waitingFor().map(Constraint::name),
        lane.waitLeft().map(left -> left.toMillis() / 1000.0),
        limits);
  }

  /** Nothing goes any more. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      books.values().forEach(book -> book.flyball.drain());
    } finally {
      lock.unlock();
    }
  }
}
