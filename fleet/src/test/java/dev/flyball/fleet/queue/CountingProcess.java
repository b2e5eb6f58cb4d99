package dev.flyball.fleet.queue;

import dev.flyball.fleet.FleetPlace;
import dev.flyball.fleet.redis.RedisAccess;
import dev.flyball.fleet.redis.RedisScript;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/** A process that works on the queue {@code many}: of each entry it says that it has begun it. */
final class CountingProcess {
  private static final RedisScript BEGUN =
      RedisScript.of("return redis.call('RPUSH', 'begun', ARGV[1])");

  private CountingProcess() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    var place = (FleetPlace.AtRedis) FleetPlace.of(args[0]);
    var rules = QueueRules.USUAL.lease(Duration.ofSeconds(3));
    Map<Path, ResultFile> files = new ConcurrentHashMap<>();
    try (var queue = WorkQueue.open(place, "many", rules);
        var judge = RedisAccess.open(place.address())) {
      EntryWork work =
          (entry, claim) -> {
            try {
              judge.run(BEGUN, List.of(), List.of(entry.key()));
              var file = files.computeIfAbsent(Path.of(entry.output()), ResultFile::new);
              var written =
                  file.append(entry, claim, entry.key(), ManyEntriesTest.line(entry.key()));
              return written == ResultFile.Written.NOT_OURS
                  ? new EntryEnd.GivenBack()
                  : new EntryEnd.Finished();
            } catch (IOException failed) {
              return new EntryEnd.TryLater(String.valueOf(failed.getMessage()), Duration.ZERO);
            }
          };
      var workers =
          new QueueWorkers(
              queue,
              work,
              QueueWorkers.Limits.UNKNOWN,
              new QueueWorkers.Settings(
                  "process " + ProcessHandle.current().pid(),
                  OptionalInt.of(Integer.parseInt(args[1])),
                  1_000,
                  true),
              new Quiet(),
              Time.system());
      System.out.println(workers.run());
      files.values().forEach(ResultFile::close);
    }
    System.exit(0);
  }

  /** Says only what is wrong. */
  private static final class Quiet implements QueueWorkers.Watcher {
    @Override
    public void workers(int count, String why) {}

    @Override
    public void ended(ClaimedEntry entry, EntryEnd end, WorkQueue.Settled settled) {
      if (settled != WorkQueue.Settled.DONE) {
        System.out.println(entry.key() + " " + end + " " + settled);
      }
    }

    @Override
    public void paused(boolean paused) {}

    @Override
    public void trouble(Optional<String> why) {
      System.out.println(why);
    }
  }
}
