package dev.flyball.gateway.tenant;

import dev.flyball.gateway.http.CallerPace;
import dev.flyball.history.record.TenantTerms;
import dev.flyball.scheduler.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The line in which a tenant's calls stand for its own limits, before they stand in a lane with
 * those of others. It answers as a lane does, with a moment for each limit, and the latest counts;
 * only then is everything charged. First come, first served; nothing is rejected here.
 *
 * <p>How many tokens a call will use is not known yet: it is charged what the last ones used, and
 * corrected when it leaves. Thread-safe; who is let go is told outside the lock.
 */
final class TenantQueue implements CallerPace {
  private static final double LEARNS = 0.1;
  private static final double FIRST_GUESS = 1_000;

  private final Time time;
  private final Supplier<Duration> softGap;
  private final long mostInFlight;
  private final Optional<MinuteBucket> requests;
  private final Optional<MinuteBucket> tokens;
  private final ReentrantLock lock = new ReentrantLock();

  // All of these are guarded by the lock.
  private final ArrayDeque<Standing> waiting = new ArrayDeque<>();
  private double usualTokens = FIRST_GUESS;
  private long slowedUntil;
  private int inFlight;
  private Time.@Nullable Alarm alarm;

  /**
   * A line for a tenant.
   *
   * @param softGap how far apart calls are at this moment because a budget is nearly spent
   */
  TenantQueue(TenantTerms terms, Time time, Supplier<Duration> softGap) {
    this.time = time;
    this.softGap = softGap;
    long now = time.nanos();
    slowedUntil = now;
    mostInFlight = terms.inFlight().orElse(Long.MAX_VALUE);
    requests =
        terms.requests().isPresent()
            ? Optional.of(new MinuteBucket(terms.requests().getAsLong(), now))
            : Optional.empty();
    tokens =
        terms.tokens().isPresent()
            ? Optional.of(new MinuteBucket(terms.tokens().getAsLong(), now))
            : Optional.empty();
  }

  /** The place of one call. */
  private final class Standing implements Place {
    private final Runnable go;
    private volatile boolean granted;
    private double charged;
    private boolean over;

    Standing(Runnable go) {
      this.go = go;
    }

    @Override
    public boolean isGranted() {
      return granted;
    }

    @Override
    public void leave(long tokensUsed) {
      TenantQueue.this.leave(this, tokensUsed);
    }
  }

  @Override
  public Place enter(Runnable go) {
    var place = new Standing(go);
    List<Standing> ready;
    lock.lock();
    try {
      waiting.add(place);
      ready = pump();
    } finally {
      lock.unlock();
    }
    // Its own caller sees that it is granted, and is not told.
    ready.forEach(each -> tell(each, place));
    return place;
  }

  private static void tell(Standing ready, @Nullable Standing own) {
    if (ready != own) {
      ready.go.run();
    }
  }

  private void leave(Standing place, long tokensUsed) {
    List<Standing> ready;
    lock.lock();
    try {
      if (place.over) {
        return;
      }
      place.over = true;
      if (place.granted) {
        inFlight--;
        tokens.ifPresent(bucket -> bucket.take(tokensUsed - place.charged, time.nanos()));
        if (tokensUsed > 0) {
          usualTokens += LEARNS * (tokensUsed - usualTokens);
        }
      } else {
        waiting.remove(place);
      }
      ready = pump();
    } finally {
      lock.unlock();
    }
    ready.forEach(each -> tell(each, null));
  }

  private void ring() {
    List<Standing> ready;
    lock.lock();
    try {
      alarm = null;
      ready = pump();
    } finally {
      lock.unlock();
    }
    ready.forEach(each -> tell(each, null));
  }

  /** Lets go whoever may, in order; an alarm is set for the next, unless it waits for a slot. */
  private List<Standing> pump() {
    if (waiting.isEmpty()) {
      return List.of();
    }
    var ready = new ArrayList<Standing>(1);
    long now = time.nanos();
    while (!waiting.isEmpty() && inFlight < mostInFlight) {
      long at = Math.max(now, slowedUntil);
      if (requests.isPresent()) {
        at = Math.max(at, requests.get().availableAt(1, now));
      }
      if (tokens.isPresent()) {
        at = Math.max(at, tokens.get().availableAt(usualTokens, now));
      }
      if (at > now) {
        if (alarm == null) {
          alarm = time.alarm(at, this::ring);
        }
        break;
      }
      grant(waiting.remove(), now, ready);
    }
    return ready;
  }

  private void grant(Standing place, long now, List<Standing> ready) {
    requests.ifPresent(bucket -> bucket.take(1, now));
    if (tokens.isPresent()) {
      place.charged = usualTokens;
      tokens.get().take(usualTokens, now);
    }
    slowedUntil = Math.max(slowedUntil, now) + softGap.get().toNanos();
    inFlight++;
    place.granted = true;
    ready.add(place);
  }

  /** How many wait here. */
  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }
}
