package dev.flyball.cli.demo;

import dev.flyball.call.Reply;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The program that people write first: a fixed number of workers. One that is turned away pauses
 * for at most a second, then two, then four, with full jitter, and gives its call up after five
 * retries.
 */
public final class DemoPool {
  static final int WORKERS = 20;
  private static final int RETRIES = 5;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final DemoAccount account;
  private final DemoTrack track;
  private final AtomicInteger pausing = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();

  public DemoPool(DemoAccount account, DemoTrack track) {
    this.account = account;
    this.track = track;
  }

  public void run() {
    track.start();
    try (var workers = Executors.newFixedThreadPool(WORKERS, Thread.ofVirtual().factory())) {
      for (int i = 0; i < DemoAccount.CALLS; i++) {
        int call = i;
        workers.execute(() -> ask(call));
      }
    }
    track.end();
  }

  private void ask(int call) {
    try {
      for (int retry = 0; !(track.attempt(call) instanceof Reply.Answered); retry++) {
        if (retry == RETRIES) {
          lost.incrementAndGet();
          return;
        }
        pause(retry);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void pause(int retry) throws InterruptedException {
    long most = account.faster(FIRST_PAUSE).multipliedBy(1L << retry).toNanos();
    pausing.incrementAndGet();
    TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(most));
    pausing.decrementAndGet();
  }

  /** How many workers do nothing, because they were turned away. */
  public int pausing() {
    return pausing.get();
  }

  /** Calls that were given up. */
  public int lost() {
    return lost.get();
  }
}
