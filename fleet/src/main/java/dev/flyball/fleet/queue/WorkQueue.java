package dev.flyball.fleet.queue;

import dev.flyball.fleet.FleetPlace;
import dev.flyball.fleet.queue.EntryEnd.Finished;
import dev.flyball.fleet.queue.EntryEnd.GivenBack;
import dev.flyball.fleet.queue.EntryEnd.Hopeless;
import dev.flyball.fleet.queue.EntryEnd.TryLater;
import dev.flyball.fleet.redis.RedisAccess;
import dev.flyball.fleet.redis.RedisScript;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A queue in a Redis that outlives whoever adds to it and whoever works on it.
 *
 * <p>How it works. What is ready stands in a sorted set, by the moment at which it was added plus
 * its patience; so the impatient go first, among equals the oldest, and nothing starves. Whoever
 * claims an entry has it for a lease, which is to be extended; if it is not, because the worker is
 * gone, the next who claims anything finds that out, and the entry is ready again in its old place,
 * or a dead letter if it was tried too often. A claim has a token, and only who has it can end it:
 * a worker that was thought dead cannot end what somebody else has now. Each step is one script, so
 * nobody ever sees half of one. All times are the server's.
 *
 * <p>What must hold: an entry stands in exactly one of the sets ready, later, claimed and dead, or
 * is done and only its key is known; and there is one entry of a key.
 *
 * <p>All keys of one queue carry the version and the name of the fleet, which is their hash tag,
 * and of the queue. What is known of workers and minutes expires; what is done is forgotten after
 * {@link QueueRules#doneFor}; what waits does not expire. Methods block; thread-safe. A lost
 * connection is an {@link IOException}: nobody knows then whether it was done, and every method may
 * be called again.
 */
public final class WorkQueue implements AutoCloseable {
  /** The name of a queue that was given none. */
  public static final String USUAL_NAME = "main";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,60}");
  private static final List<String> KEYS =
      List.of(
          "ready",
          "later",
          "claimed",
          "dead",
          "done",
          "entries",
          "payloads",
          "ids",
          "totals",
          "minutes",
          "workers");
  private static final int MOST_AT_ONCE = 250;
  private static final int LARGEST_AT_ONCE = 1 << 20;

  private final RedisAccess redis;
  private final QueueRules rules;
  private final List<String> keys;

  private WorkQueue(RedisAccess redis, String fleet, String name, QueueRules rules) {
    this.redis = redis;
    this.rules = rules;
    var prefix = "flyball:1:{" + fleet + "}:queue:" + name + ":";
    this.keys = KEYS.stream().map(prefix::concat).toList();
  }

  /**
   * Opens a queue, which need not be there yet.
   *
   * @param name of letters, digits, dots, hyphens and underscores
   * @throws IOException if that Redis cannot be used; the message says why, in one line
   */
  public static WorkQueue open(FleetPlace.AtRedis place, String name, QueueRules rules)
      throws IOException {
    checked(name);
    return new WorkQueue(RedisAccess.open(place.address()), place.fleet(), name, rules);
  }

  /** {@return a name of a queue}, refused if it cannot be one */
  public static String checked(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a queue is named by 1 to 60 letters, digits, dots, hyphens and underscores");
    }
    return name;
  }

  /** {@return the rules by which it goes} */
  public QueueRules rules() {
    return rules;
  }

  /**
   * Adds entries in this order, as long as there is room. Those whose keys are known are left
   * alone, so the same may be added again.
   *
   * @param again whether what was done before is done again
   */
  public AddedEntries add(List<NewEntry> entries, boolean again) throws IOException {
    var sum = AddedEntries.NOTHING;
    for (int from = 0; from < entries.size(); ) {
      int to = from;
      for (int size = 0; to < entries.size() && to - from < MOST_AT_ONCE; to++) {
        size += entries.get(to).payload().length();
        if (to > from && size > LARGEST_AT_ONCE) {
          break;
        }
      }
      var part = addSome(entries.subList(from, to), again, entries.size() - to);
      sum = sum.and(part);
      from = to;
      if (part.retryAfter().isPresent()) {
        return sum.and(
            new AddedEntries(
                0,
                0,
                0,
                0,
                0,
                Optional.empty(),
                entries.size() - to,
                part.retryAfter(),
                part.held()));
      }
    }
    return sum;
  }

  private AddedEntries addSome(List<NewEntry> entries, boolean again, int following)
      throws IOException {
    var arguments = new ArrayList<String>();
    arguments.addAll(
        List.of(
            whole(rules.most()),
            whole(rules.doneFor().toDays()),
            again ? "1" : "0",
            whole(following)));
    for (var entry : entries) {
      arguments.addAll(
          List.of(
              entry.key(),
              entry.kind(),
              entry.digest(),
              whole(entry.patience().toMillis()),
              entry.output(),
              entry.payload()));
    }
    var said = run(QueueScripts.ADD, arguments);
    long added = QueueReply.number(said, 0);
    long met =
        added
            + QueueReply.number(said, 1)
            + QueueReply.number(said, 2)
            + QueueReply.number(said, 3)
            + QueueReply.number(said, 4);
    long wait = QueueReply.number(said, 5);
    var first = QueueReply.text(said, 7);
    return new AddedEntries(
        added,
        QueueReply.number(said, 1),
        QueueReply.number(said, 2),
        QueueReply.number(said, 3),
        QueueReply.number(said, 4),
        first.isEmpty() ? Optional.empty() : Optional.of(first),
        entries.size() - met,
        wait == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(wait)),
        QueueReply.number(said, 6));
  }

  /**
   * What a worker says of itself when it asks for work.
   *
   * @param name host and process; shown to people
   * @param token known to it alone
   * @param busy how many entries it works on
   * @param wanted how many it would
   * @param headroom how full its limits are, from 0 to 1, if it knows
   */
  public record Asking(
      String name, String token, int busy, int wanted, Optional<Double> headroom) {}

  /**
   * What a worker was given.
   *
   * @param paused whether it is given little or nothing because its limits are not full enough
   * @param next how long until something else may be ready, at the latest; empty if nothing waits
   *     and nobody works
   * @param ready how many are left for others
   */
  public record Given(
      List<ClaimedEntry> entries, boolean paused, Optional<Duration> next, long ready) {}

  /** Gives a worker what is next. */
  public Given claim(Asking worker, int most) throws IOException {
    var said =
        run(
            QueueScripts.CLAIM,
            List.of(
                worker.name(),
                worker.token(),
                whole(most),
                whole(rules.lease().toMillis()),
                worker.headroom().map(String::valueOf).orElse("-1"),
                whole(rules.tries()),
                whole(worker.busy()),
                whole(worker.wanted()),
                String.valueOf(rules.pauseBelow()),
                String.valueOf(rules.resumeAbove())));
    long next = QueueReply.number(said, 1);
    return new Given(
        QueueReply.claimed(said),
        QueueReply.number(said, 0) == 1,
        next < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(next)),
        QueueReply.number(said, 2));
  }

  /**
   * Makes claims last for another lease.
   *
   * @return the ids of those that are not this token's any more
   */
  public List<String> extend(String token, Collection<String> ids) throws IOException {
    if (ids.isEmpty()) {
      return List.of();
    }
    var arguments = new ArrayList<>(List.of(token, whole(rules.lease().toMillis())));
    arguments.addAll(ids);
    return run(QueueScripts.EXTEND, arguments).stream().map(String::valueOf).toList();
  }

  /**
   * Ends a claim.
   *
   * @return what became of the entry
   */
  public Settled settle(String token, String id, EntryEnd end) throws IOException {
    var how =
        switch (end) {
          case Finished done -> "done";
          case TryLater later -> "later";
          case Hopeless dead -> "dead";
          case GivenBack back -> "back";
        };
    var why =
        switch (end) {
          case TryLater(var reason, var pause) -> reason;
          case Hopeless(var reason) -> reason;
          case Finished done -> "";
          case GivenBack back -> "";
        };
    long pause = end instanceof TryLater(var reason, var left) ? left.toMillis() : 0;
    var said =
        redis.run(
            QueueScripts.SETTLE,
            keys,
            List.of(
                id,
                token,
                how,
                why,
                whole(Math.max(0, pause)),
                whole(rules.tries()),
                whole(rules.doneFor().toDays())));
    return switch (String.valueOf(said)) {
      case "done" -> Settled.DONE;
      case "later" -> Settled.LATER;
      case "dead" -> Settled.DEAD;
      case "back" -> Settled.READY;
      default -> Settled.LOST;
    };
  }

  /** What became of an entry whose claim was ended. */
  public enum Settled {
    DONE,
    LATER,
    DEAD,
    READY,
    /** It was not this worker's any more. */
    LOST
  }

  /**
   * What became of entries that were to be moved.
   *
   * @param busy how many were left alone because somebody works on them
   * @param missing how many are not there
   */
  public record Moved(long moved, long busy, long missing) {}

  /** Makes dead letters, and what waits for another try, ready now, with all tries again. */
  public Moved retry(List<String> named) throws IOException {
    return move("retry", named);
  }

  /** Makes all of a shelf ready now. */
  public Moved retry(Shelf shelf) throws IOException {
    return moveAll("retry", shelf);
  }

  /** Takes entries out, by keys or ids; what somebody works on is left alone. */
  public Moved drop(List<String> named) throws IOException {
    return move("drop", named);
  }

  /** Takes all of a shelf out. */
  public Moved drop(Shelf shelf) throws IOException {
    return moveAll("drop", shelf);
  }

  private Moved move(String how, List<String> named) throws IOException {
    long moved = 0;
    long busy = 0;
    long missing = 0;
    for (int from = 0; from < named.size(); from += MOST_AT_ONCE) {
      var arguments = new ArrayList<>(List.of(how));
      arguments.addAll(named.subList(from, Math.min(named.size(), from + MOST_AT_ONCE)));
      var said = run(QueueScripts.MOVE, arguments);
      moved += QueueReply.number(said, 0);
      busy += QueueReply.number(said, 1);
      missing += QueueReply.number(said, 2);
    }
    return new Moved(moved, busy, missing);
  }

  private Moved moveAll(String how, Shelf shelf) throws IOException {
    if (shelf == Shelf.CLAIMED) {
      throw new IllegalArgumentException("what somebody works on is not moved");
    }
    for (long moved = 0; ; ) {
      var said = run(QueueScripts.MOVE, List.of(how, "*", shelf.toString(), whole(MOST_AT_ONCE)));
      moved += QueueReply.number(said, 0);
      if (QueueReply.number(said, 0) == 0) {
        return new Moved(moved, 0, 0);
      }
    }
  }

  /** {@return entries of a shelf, in their order there} */
  public List<ListedEntry> look(Shelf shelf, long from, int most) throws IOException {
    return QueueReply.listed(
        shelf, run(QueueScripts.LOOK, List.of(shelf.toString(), whole(from), whole(most))));
  }

  /** {@return how it stands} */
  public QueueFigures figures() throws IOException {
    return QueueReply.figures(run(QueueScripts.FIGURES, List.of()));
  }

  private List<?> run(RedisScript script, List<String> arguments) throws IOException {
    var said = redis.run(script, keys, arguments);
    return said instanceof List<?> list ? list : Arrays.asList(said);
  }

  private static String whole(long number) {
    return Long.toString(number);
  }

  /** {@return where it is, without user and password} */
  @Override
  public String toString() {
    return redis.toString();
  }

  @Override
  public void close() {
    redis.close();
  }
}
