package dev.flyball.batch;

import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.run.BadInput;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The lines that are to be asked: the index of the input, the routes that its lines take, and what
 * earlier runs have done of it.
 */
final class BatchPlan implements AutoCloseable {
  private final BatchSettings settings;
  private final LineIndex.Place place;
  private final Router router;
  private final InputCheck check;
  private @Nullable LineIndex index;
  private LongPredicate isOpen = id -> true;
  private long total;
  private long answered;
  private long failed;

  private BatchPlan(
      BatchSettings settings, LineIndex.Place place, InputLine.Plain plain, Router router) {
    this.settings = settings;
    this.place = place;
    this.router = router;
    this.check = new InputCheck(plain, router, settings.first(), settings.skipInvalid());
  }

  /** Reads the input, compares it with the last time, and opens a cursor for each route. */
  static BatchPlan read(
      BatchSettings settings,
      LineIndex.Place place,
      InputLine.Plain plain,
      Router router,
      FileChannel input,
      IdHashes finished,
      Batch.Checking checking)
      throws IOException, BadInput {
    var plan = new BatchPlan(settings, place, plain, router);
    plan.index(input, finished, checking);
    plan.open(finished);
    return plan;
  }

  private void index(FileChannel input, IdHashes finished, Batch.Checking checking)
      throws IOException, BadInput {
    place.<BadInput>replace(
        fresh -> {
          try (var made = LineIndex.create(fresh)) {
            check.run(input, made, checking);
            router.refuseUnpriced();
            try (var old = LineIndex.open(place.file()).orElse(null)) {
              if (old != null) {
                new ChangedLines(old, made).refuse(finished, settings);
              }
            }
          }
        });
  }

  private void open(IdHashes finished) throws IOException {
    var whole = LineIndex.open(place.file()).orElseThrow();
    index = whole;
    var failures =
        settings.keepErrors() ? FailureFile.earlier(settings.errors()) : new IdHashes().sorted();
    var dropped = check.dropped();
    var scan = whole.scan();
    for (var next = scan.next(); next.isPresent(); next = scan.next()) {
      if (!dropped.contains(next.get().number())) {
        total++;
        answered += finished.contains(next.get().id()) ? 1 : 0;
        failed += failures.contains(next.get().id()) ? 1 : 0;
      }
    }
    isOpen = id -> !finished.contains(id) && !failures.contains(id);
    for (int i = 0; i < routes().size(); i++) {
      routes().get(i).open(cursor(i));
    }
  }

  /** The open lines of a route, from the first. */
  LineIndex.Cursor cursor(int route) throws IOException {
    var all =
        settings.order() == BatchSettings.Order.FIFO
            ? index().fifo(route, isOpen)
            : index().longestFirst(route, isOpen);
    return without(all, check.dropped());
  }

  private static LineIndex.Cursor without(LineIndex.Cursor all, Set<Integer> dropped) {
    return () -> {
      for (var next = all.next(); ; next = all.next()) {
        if (next.isEmpty() || !dropped.contains(next.get().number())) {
          return next;
        }
      }
    };
  }

  /** What is known of a lane before its first reply. */
  LaneProfile profile(LaneId lane) {
    return routes().stream()
        .filter(route -> route.has(lane))
        .findFirst()
        .map(route -> route.profile)
        .orElse(LaneProfile.UNKNOWN);
  }

  List<Route> routes() {
    return router.routes();
  }

  LineIndex index() {
    if (index == null) {
      throw new IllegalStateException("the plan was not read");
    }
    return index;
  }

  long total() {
    return total;
  }

  /** Lines that have an answer from before. */
  long answered() {
    return answered;
  }

  /** Lines that failed before and are not asked again. */
  long failed() {
    return failed;
  }

  long invalid() {
    return check.invalid();
  }

  List<String> problems() {
    return check.problems();
  }

  @Override
  public void close() throws IOException {
    if (index != null) {
      index.close();
    }
    if (Files.notExists(settings.output())) {
      // Nothing was answered, so nothing will be compared.
      place.delete();
    }
  }
}
