package dev.flyball.fleet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What went in a lane lately, and what was said of it: so that whoever keeps its book next begins
 * where the last one was, and need not feel its way to the limits again. Not thread-safe.
 */
final class LanePast {
  private final int most;
  private final long oldest;

  private record Happened(long at, String who, FleetMessage.OfPast what) {}

  private final Deque<Happened> all = new ArrayDeque<>();
  private int attempts;
  private boolean whole = true;

  /**
   * One in which nothing has happened.
   *
   * @param most how many attempts it remembers
   * @param oldest for how long, in nanoseconds
   */
  LanePast(int most, long oldest) {
    this.most = most;
    this.oldest = oldest;
  }

  /** Something happened, not before what was added before. */
  void add(long at, String who, FleetMessage.OfPast what) {
    all.addLast(new Happened(at, who, what));
    attempts += what instanceof FleetMessage.Went ? 1 : 0;
    while (!all.isEmpty() && (attempts > most || all.getFirst().at() < at - oldest)) {
      attempts -= all.removeFirst().what() instanceof FleetMessage.Went ? 1 : 0;
      whole = false;
    }
  }

  /** Somebody else has told what happened. */
  void add(List<FleetMessage.Past> told, long now) {
    told.forEach(one -> add(now - one.age(), one.who(), one.what()));
  }

  /** What was there is not known any more. */
  void forget() {
    all.clear();
    attempts = 0;
    whole = false;
  }

  /** Whether it goes back to the lane's beginning. */
  boolean isWhole() {
    return whole;
  }

  /** All of it, as it is told to others. */
  List<FleetMessage.Past> told(long now) {
    return told(now, all.size());
  }

  /** The last of it. */
  List<FleetMessage.Past> told(long now, int last) {
    var told = new ArrayList<FleetMessage.Past>();
    int skip = Math.max(0, all.size() - last);
    for (var one : all) {
      if (skip-- <= 0) {
        told.add(new FleetMessage.Past(now - one.at(), one.who(), one.what()));
      }
    }
    return told;
  }

  int size() {
    return all.size();
  }
}
