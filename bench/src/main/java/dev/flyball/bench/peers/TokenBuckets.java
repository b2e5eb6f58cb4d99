package dev.flyball.bench.peers;

import dev.flyball.call.Reply;
import dev.flyball.worlds.Job;
import dev.flyball.worlds.TrueLimit;
import java.util.ArrayList;
import java.util.List;

/**
 * A bucket for each limit, which it knows truly, taken one after the other: each job looks, sleeps
 * if there is too little, and deducts when it wakes, whatever others have taken in between. A job
 * that is turned away all the same pauses, for longer each time, and sends again; it takes nothing
 * from the buckets for that, and is given up after five retries.
 */
public final class TokenBuckets implements Peer {
  private static final Backoff BACKOFF = new Backoff(1, 60, 0.1, 5);

  /** One limit as the peer counts it. */
  private final class Bucket {
    final TrueLimit limit;
    double tokens;
    double refilledAt;

    Bucket(TrueLimit limit) {
      this.limit = limit;
      this.tokens = limit.start();
    }

    void acquire(double needed, Runnable then) {
      refill();
      if (tokens >= needed) {
        tokens -= needed;
        then.run();
        return;
      }
      world.in(
          (needed - tokens) / limit.perSecond(),
          () -> {
            refill();
            tokens -= needed;
            then.run();
          });
    }

    private void refill() {
      double earned = (world.now() - refilledAt) * limit.perSecond();
      tokens = Math.min(limit.burst(), tokens + earned);
      refilledAt = world.now();
    }
  }

  private final PeerWorld world;
  private final List<Bucket> buckets = new ArrayList<>();

  public TokenBuckets(PeerWorld world) {
    this.world = world;
    world.limits().forEach(limit -> buckets.add(new Bucket(limit)));
  }

  @Override
  public void take(Job job) {
    acquire(job, 0);
  }

  private void acquire(Job job, int from) {
    if (from == buckets.size()) {
      attempt(job, 0);
      return;
    }
    var bucket = buckets.get(from);
    bucket.acquire(amount(job, bucket.limit), () -> acquire(job, from + 1));
  }

  private static double amount(Job job, TrueLimit limit) {
    return switch (limit.dimension().name()) {
      case "requests" -> 1;
      case "input_tokens" -> job.input();
      case "output_tokens" -> job.output();
      default -> job.input() + job.output();
    };
  }

  private void attempt(Job job, int retry) {
    world.send(
        job,
        reply -> {
          switch (reply) {
            case Reply.Answered<String> answered -> world.answered(job);
            case Reply.Rejected<String> rejected -> world.lost(job);
            case Reply.Throttled<String> throttled -> again(job, retry);
            case Reply.Overloaded<String> overloaded -> again(job, retry);
            case Reply.Broken<String> broken -> again(job, retry);
            case Reply.CutShort<String> cut -> again(job, retry);
          }
        });
  }

  private void again(Job job, int retry) {
    if (retry == BACKOFF.retries()) {
      world.lost(job);
    } else {
      world.in(BACKOFF.pause(retry, world.random()), () -> attempt(job, retry + 1));
    }
  }
}
