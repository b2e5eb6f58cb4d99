package dev.flyball.run;

import dev.flyball.history.History;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.scheduler.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The history of earlier runs. One that is there is opened while other things are read; one that is
 * not there is made only when somebody has something to write.
 */
public final class HistoryHandle implements AutoCloseable {
  private final @Nullable HistoryLocation place;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable CompletableFuture<History> opening;

  private HistoryHandle(@Nullable HistoryLocation place) {
    this.place = place;
    if (place != null && exists(place)) {
      opening = open(place);
    }
  }

  /** At a place, or nowhere. */
  public static HistoryHandle of(Optional<HistoryLocation> place) {
    return new HistoryHandle(place.orElse(null));
  }

  private static boolean exists(HistoryLocation place) {
    return !(place instanceof HistoryLocation.File(Path path)) || Files.exists(path);
  }

  private static CompletableFuture<History> open(HistoryLocation place) {
    var opening = new CompletableFuture<History>();
    Thread.ofPlatform()
        .daemon()
        .name("flyball-history-opening")
        .start(
            () -> {
              try {
                opening.complete(History.open(place, Time.system()::wall));
              } catch (HistoryUnavailable | RuntimeException | Error unavailable) {
                opening.completeExceptionally(unavailable);
              }
            });
    return opening;
  }

  /** To be read: what is there. */
  public Optional<History> read() throws HistoryUnavailable, InterruptedException {
    var begun = opening;
    return begun == null ? Optional.empty() : Optional.of(join(begun));
  }

  /** To be written to: made if it is not there. */
  public Optional<History> write() throws HistoryUnavailable, InterruptedException {
    lock.lock();
    try {
      if (opening == null && place != null) {
        opening = open(place);
      }
    } finally {
      lock.unlock();
    }
    return read();
  }

  private static History join(CompletableFuture<History> opening)
      throws HistoryUnavailable, InterruptedException {
    try {
      return opening.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof HistoryUnavailable unavailable) {
        throw unavailable;
      }
      throw new IllegalStateException("a defect in Flyball: please report it", failed.getCause());
    }
  }

  @Override
  public void close() {
    var begun = opening;
    if (begun != null) {
      begun
          .handle(
              (history, failed) -> {
                if (history != null) {
                  history.close();
                }
                return true;
              })
          .join();
    }
  }
}
