package dev.flyball.run;

import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.file.StateFolder;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The file of what runs have learned, as a run finds it and leaves it for the next.
 *
 * <p>A run that is killed writes nothing more, so it writes while it learns: at once what is
 * learned first, then every few seconds, and only what differs from what it last knew to be there.
 * What it has merely read it does not write, so whatever somebody had forgotten meanwhile stays
 * forgotten.
 *
 * <p>A file that cannot be read is left alone, one that cannot be written is tried again; either is
 * said once, and stops nothing. Any thread may use it; they take turns.
 */
public final class LearnedStore {
  /** What a kill can lose at most. */
  static final Duration APART = Duration.ofSeconds(5);

  private final Map<String, String> environment;
  private final Consumer<String> warnings;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<String> said = new HashSet<>();

  /** What the file has, as far as was read from it or written to it here. */
  private LearnedFile known = LearnedFile.NOTHING;

  private boolean tried;
  private long triedAt;

  LearnedStore(Map<String, String> environment, Consumer<String> warnings, Time time) {
    this.environment = environment;
    this.warnings = warnings;
    this.time = time;
  }

  /** What earlier runs have learned. */
  LearnedFile read() {
    lock.lock();
    try {
      known = LearnedFile.read(StateFolder.of(environment));
      return known;
    } catch (IOException damaged) {
      known = LearnedFile.NOTHING;
      leftAlone(damaged);
      return known;
    } finally {
      lock.unlock();
    }
  }

  /** Adds what a run has learned so far; to be called often, and does something now and then. */
  void keepNowAndThen(Supplier<LearnedFile> learned) {
    lock.lock();
    try {
      if (!tried || time.nanos() - triedAt >= APART.toNanos()) {
        keep(learned.get());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Adds what a run has learned, if any of it is new. */
  void keep(LearnedFile learned) {
    lock.lock();
    try {
      add(learned);
    } finally {
      lock.unlock();
    }
  }

  private void add(LearnedFile learned) {
    var news = newIn(learned);
    if (news.equals(LearnedFile.NOTHING)) {
      return;
    }
    tried = true;
    triedAt = time.nanos();
    LearnedFile there;
    try {
      there = LearnedFile.read(StateFolder.of(environment));
    } catch (IOException damaged) {
      leftAlone(damaged);
      return;
    }
    try {
      news.over(there).write(StateFolder.of(environment));
      known = news.over(known);
    } catch (IOException full) {
      say(
          "kept",
          "the learned limits could not be saved in %s: %s".formatted(place(), full.getMessage()));
    }
  }

  private LearnedFile newIn(LearnedFile learned) {
    Map<LaneId, LearnedLimits.OfLane> lanes = new HashMap<>();
    learned
        .lanes()
        .lanes()
        .forEach(
            (id, lane) -> {
              var before = known.lanes().of(id).orElse(LearnedLimits.OfLane.NOTHING);
              if (!lane.at(before.at()).equals(before)) {
                lanes.put(id, lane);
              }
            });
    Map<String, TokenCounter.Learned> tokens = new HashMap<>(learned.tokens());
    tokens.entrySet().removeAll(known.tokens().entrySet());
    return new LearnedFile(new LearnedLimits(lanes), tokens);
  }

  private void leftAlone(IOException damaged) {
    say(
        "read",
        "%s was not changed: %s; `flyball lanes --forget` removes it"
            .formatted(place(), damaged.getMessage()));
  }

  private void say(String trouble, String words) {
    if (said.add(trouble)) {
      warnings.accept(words);
    }
  }

  private String place() {
    try {
      return StateFolder.of(environment).path().resolve(LearnedFile.NAME).toString();
    } catch (IOException nowhere) {
      return LearnedFile.NAME;
    }
  }
}
