package dev.flyball.bench.peers;

import dev.flyball.call.Reply;
import dev.flyball.worlds.Job;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Slots that adapt as TCP does: four at first, half of them after each 429, one more after five
 * answers in a row. After a 429 nothing goes until its retry-after has passed, or for a minute
 * where there is none; the job queues again, three times at most. Other failures pause the job
 * alone, for longer each time.
 */
public final class AimdSlots implements Peer {
  private static final int SUSTAINED = 5;
  private static final Duration WITHOUT_HINT = Duration.ofMinutes(1);
  private static final Backoff BACKOFF = new Backoff(1, 60, 0.1, 3);

  private record Turn(Job job, int retry) {}

  private final PeerWorld world;
  private final Deque<Turn> queue = new ArrayDeque<>();
  private int slots = 4;
  private int inFlight;
  private int inARow;
  private int holds;

  public AimdSlots(PeerWorld world) {
    this.world = world;
  }

  @Override
  public void take(Job job) {
    queue.add(new Turn(job, 0));
    next();
  }

  private void next() {
    while (!queue.isEmpty() && inFlight < slots && holds == 0) {
      var turn = queue.remove();
      inFlight++;
      world.send(turn.job(), reply -> replied(turn, reply));
    }
  }

  private void replied(Turn turn, Reply<String> reply) {
    inFlight--;
    switch (reply) {
      case Reply.Answered<String> answered -> {
        world.answered(turn.job());
        if (++inARow == SUSTAINED) {
          inARow = 0;
          slots++;
        }
      }
      case Reply.Throttled<String> throttled -> {
        inARow = 0;
        slots = Math.max(1, slots / 2);
        double wait = throttled.signals().retryAfter().orElse(WITHOUT_HINT).toNanos() / 1e9;
        holds++;
        world.in(wait, () -> holds--);
        again(turn, wait);
      }
      case Reply.Overloaded<String> overloaded -> failed(turn);
      case Reply.Broken<String> broken -> failed(turn);
      case Reply.CutShort<String> cut -> failed(turn);
      case Reply.Rejected<String> rejected -> world.lost(turn.job());
    }
    next();
  }

  private void failed(Turn turn) {
    inARow = 0;
    again(turn, BACKOFF.pause(turn.retry(), world.random()));
  }

  private void again(Turn turn, double wait) {
    if (turn.retry() == BACKOFF.retries()) {
      world.lost(turn.job());
    } else {
      world.in(wait, () -> queue.add(new Turn(turn.job(), turn.retry() + 1)));
    }
    world.in(wait, this::next);
  }
}
