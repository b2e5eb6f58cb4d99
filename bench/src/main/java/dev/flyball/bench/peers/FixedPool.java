package dev.flyball.bench.peers;

import dev.flyball.call.Reply;
import dev.flyball.worlds.Job;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/**
 * A fixed number of workers. One that gets a 429 pauses, with its job, for longer each time, and
 * gives the job up after five retries. Any other failure is final.
 */
public final class FixedPool implements Peer {
  private static final Backoff BACKOFF = new Backoff(5, 120, 0.2, 5);

  private final PeerWorld world;
  private final Deque<Job> queue = new ArrayDeque<>();
  private int idle;

  private FixedPool(PeerWorld world, int workers) {
    this.world = world;
    this.idle = workers;
  }

  public static Function<PeerWorld, Peer> of(int workers) {
    return world -> new FixedPool(world, workers);
  }

  @Override
  public void take(Job job) {
    queue.add(job);
    if (idle > 0) {
      idle--;
      work();
    }
  }

  private void work() {
    var job = queue.poll();
    if (job == null) {
      idle++;
    } else {
      attempt(job, 0);
    }
  }

  private void attempt(Job job, int retry) {
    world.send(
        job,
        reply -> {
          if (reply instanceof Reply.Throttled && retry < BACKOFF.retries()) {
            world.in(BACKOFF.pause(retry, world.random()), () -> attempt(job, retry + 1));
            return;
          }
          if (reply instanceof Reply.Answered) {
            world.answered(job);
          } else {
            world.lost(job);
          }
          work();
        });
  }
}
