package dev.flyball.run;

import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.llm.Provider;
import dev.flyball.llm.reply.ReplyHead;
import dev.flyball.scheduler.Flyball;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lanes of one class of models, one for each key, as one queue: a call names all of them, and
 * whichever can admit it first takes it.
 *
 * <p>Keys of one organisation share its limits, so one of them is enough; only replies say whose a
 * key is. So a key after the first is tried with one call, and the lane whose first reply names an
 * organisation that another lane has replied for is shut; its calls go to the others.
 */
public final class KeyLanes {
  /** The models under one key. Thread-safe. */
  public static final class KeyLane {
    private final LaneId id;
    private final Provider provider;
    private volatile boolean replied;
    private volatile boolean out;
    private volatile String organisation = "";

    private KeyLane(LaneId id, Provider provider) {
      this.id = id;
      this.provider = provider;
    }

    public LaneId id() {
      return id;
    }

    /** Whoever is asked with this key. */
    public Provider provider() {
      return provider;
    }

    /** Whether it ever had a reply. */
    public boolean replied() {
      return replied;
    }

    private boolean sharesLimits(KeyLane other) {
      return !organisation.isEmpty() && organisation.equals(other.organisation);
    }
  }

  private final List<KeyLane> all;
  private final AtomicInteger turn = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Lanes of a destination.
   *
   * @param modelClass the models that share limits
   */
  public KeyLanes(Destination to, String modelClass) {
    this.all =
        to.providers().stream().map(each -> new KeyLane(to.lane(each, modelClass), each)).toList();
  }

  /** In the order in which the keys were given; never empty. */
  public List<KeyLane> all() {
    return all;
  }

  public KeyLane first() {
    return all.getFirst();
  }

  /** The lane in which an attempt went. */
  public KeyLane of(LaneId id) {
    return all.stream().filter(lane -> lane.id.equals(id)).findFirst().orElseThrow();
  }

  /**
   * A call for whichever lane can admit it first. Those that are known to work take turns in being
   * asked first.
   */
  public Call call() {
    if (all.size() == 1) {
      return Call.to(first().id);
    }
    var known = new ArrayList<LaneId>();
    var others = new ArrayList<LaneId>();
    for (var lane : all) {
      if (!lane.out) {
        (lane.replied ? known : others).add(lane.id);
      }
    }
    var order = new ArrayList<LaneId>();
    int start = known.isEmpty() ? 0 : Math.floorMod(turn.getAndIncrement(), known.size());
    order.addAll(known.subList(start, known.size()));
    order.addAll(known.subList(0, start));
    order.addAll(others);
    if (order.isEmpty()) {
      all.forEach(lane -> order.add(lane.id));
    }
    return Call.to(
        order.getFirst(), order.subList(1, order.size()).toArray(new LaneId[order.size() - 1]));
  }

  /** A reply came, before its permit is settled: it may say whose key it is. */
  public void came(KeyLane lane, ReplyHead head, Flyball flyball) {
    if (lane.replied) {
      return;
    }
    boolean served;
    lock.lock();
    try {
      if (lane.replied) {
        return;
      }
      lane.organisation =
          head.first("anthropic-organization-id")
              .or(() -> head.first("openai-organization"))
              .orElse("");
      served = all.stream().anyMatch(each -> each.replied && !each.out && each.sharesLimits(lane));
      lane.replied = true;
      lane.out |= served;
    } finally {
      lock.unlock();
    }
    if (served) {
      flyball.shut(lane.id, "another key is of the same organisation", "one of them is enough");
    }
  }

  /** The provider refuses a key; returns whether that was the last one. */
  public boolean refused(KeyLane lane) {
    lock.lock();
    try {
      lane.out = true;
      return all.stream().allMatch(each -> each.out);
    } finally {
      lock.unlock();
    }
  }
}
