package dev.flyball.fleet;

import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Tenant;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.Time;
import dev.flyball.scheduler.Waiter;
import java.time.Duration;
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

  private static final Duration STANDING_EVERY = Duration.ofSeconds(1);
  private static final Duration STANDING_AT_FIRST = Duration.ofMillis(200);

  /** A call of a replica, in its place in the fleet's lane. */
  private static final class Place {
    final MemberLane of;
    final long number;
    final Estimate estimate;
    final String kind;
    @Nullable Waiter<String> waiter;
    @Nullable Permit<String> permit;

    Place(MemberLane of, long number, Estimate estimate, String kind) {
      this.of = of;
      this.number = number;
      this.estimate = estimate;
      this.kind = kind;
    }

    /** It has its departure. */
    void went(Permit<String> granted) {
      permit = granted;
      happened(new FleetMessage.Went(of.handle, number, estimate, kind));
    }

    /** The next keeper is to know of it. */
    void happened(FleetMessage.OfPast what) {
      of.book.happened(of.member.who, what);
    }

    /** Nobody wants it any longer. */
    void drop(boolean charged) {
      if (permit != null) {
        happened(new FleetMessage.Drop(of.handle, List.of(number), charged));
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

  /** One replica's part of a lane. */
  private static final class MemberLane {
    final Member member;
    final int handle;
    final SharedBook book;
    boolean knowsPast;
    List<Long> underWay = List.of();
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
    final List<FleetMessage.ToKeeper> early = new ArrayList<>();
    String who = "";
    String name = "";
    double weight = 1;
    boolean takesPart;
    long departures;

    Member(String id, Post post) {
      this.id = id;
      this.post = post;
    }

    Tenant tenant() {
      return new Tenant(who, weight);
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
  private volatile boolean waitsForSlots;
  private volatile long refusedAt = Long.MIN_VALUE / 2;
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
    if (time.nanos() < opensAt && isOfLane(message)) {
      member.early.add(message);
      return;
    }
    switch (message) {
      case FleetMessage.Hello hello -> hello(member, hello);
      case FleetMessage.Open open -> open(member, open);
      case FleetMessage.Ask ask -> ask(member, ask);
      case FleetMessage.Drop(var handle, var numbers, var late) -> {
        for (long number : numbers) {
          var dropped = remove(member, handle, number);
          if (dropped != null) {
            dropped.drop(late);
          }
        }
      }
      case FleetMessage.Headers headers -> {
        var lane = member.lanes.get(headers.lane());
        var sighted = lane == null ? null : lane.places.get(headers.number());
        if (sighted != null && sighted.permit != null) {
          sighted.happened(headers);
          sighted.permit.sighted(headers.signals());
        }
      }
      case FleetMessage.Ended ended -> {
        var over = remove(member, ended.lane(), ended.number());
        if (over != null && over.permit != null) {
          over.happened(ended);
          over.permit.settle(FleetMessage.reply(ended));
          if (ended.kind() == Reply.Kind.THROTTLED) {
            refusedAt = time.nanos();
          }
          standSoon(over.of.book);
        }
      }
      case FleetMessage.Ping ping -> tellMembers(member);
      case FleetMessage.Look look -> member.post.send(new FleetMessage.Shown(view()));
      case FleetMessage.Bye bye -> leave(member.id);
    }
  }

  /** Whether a message is about calls, whose book may not have begun yet. */
  private static boolean isOfLane(FleetMessage.ToKeeper message) {
    return switch (message) {
      case FleetMessage.Ask ask -> true;
      case FleetMessage.Drop drop -> true;
      case FleetMessage.Headers headers -> true;
      case FleetMessage.Ended ended -> true;
      case FleetMessage.Hello hello -> false;
      case FleetMessage.Open open -> false;
      case FleetMessage.Ping ping -> false;
      case FleetMessage.Look look -> false;
      case FleetMessage.Bye bye -> false;
    };
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
    member.who = hello.who();
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
      books.values().stream().filter(book -> !book.hasBegun()).forEach(this::begin);
      for (var member : List.copyOf(members.values())) {
        var early = List.copyOf(member.early);
        member.early.clear();
        early.forEach(message -> receive(member, message));
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
    var book = books.computeIfAbsent(open.id(), id -> new SharedBook(open, time));
    var lane = new MemberLane(member, open.lane(), book);
    lane.underWay = open.underWay();
    member.lanes.put(open.lane(), lane);
    book.bring(open.past(), open.underWay());
    if (book.hasBegun()) {
      claim(lane);
    } else if (time.nanos() >= opensAt) {
      begin(book);
    }
    standSoon(book);
  }

  private void begin(SharedBook book) {
    book.begin();
    for (var member : members.values()) {
      member.lanes.values().stream().filter(lane -> lane.book == book).forEach(Keeper::claim);
    }
    time.alarm(book.unclaimedUntil(), () -> locked(book::giveUpUnclaimed));
  }

  /** What a replica has under way is told by it from now on. */
  private static void claim(MemberLane lane) {
    lane.book
        .claim(lane.member.who, lane.underWay)
        .forEach(
            (number, permit) -> {
              var under = new Place(lane, number, Estimate.UNKNOWN, "");
              under.permit = permit;
              lane.places.put(number, under);
            });
    lane.underWay = List.of();
  }

  private void ask(Member member, FleetMessage.Ask ask) {
    var lane = member.lanes.get(ask.lane());
    if (lane == null) {
      return;
    }
    for (var wanted : ask.calls()) {
      var waits = new Place(lane, wanted.number(), wanted.estimate(), wanted.kind());
      lane.places.put(wanted.number(), waits);
      waits.waiter = lane.book.enter(member.tenant(), wanted, () -> wake(waits));
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
          if (!wanted) {
            permit.close();
          } else {
            next.went(permit);
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
    var report = book.report();
    book.waitsForSlots = report.waitsFor().equals(Constraint.SLOT.name());
    waitsForSlots = books.values().stream().anyMatch(each -> each.waitsForSlots);
    for (var member : members.values()) {
      for (var lane : member.lanes.values()) {
        if (lane.book == book) {
          member.post.send(report.to(lane.handle, lane.knowsPast));
          lane.knowsPast = true;
        }
      }
    }
  }

  /** When a call was last turned away. */
  long refusedAt() {
    return refusedAt;
  }

  /** Whether calls of a lane waited for others to end, when that was last looked at. */
  boolean waitsForSlots() {
    return waitsForSlots;
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
              .sorted(Comparator.comparing(book -> book.id().toString()))
              .map(SharedBook::view)
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

  /** Nothing goes any more. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      books.values().forEach(SharedBook::close);
    } finally {
      lock.unlock();
    }
  }
}
