package dev.flyball.review.plan;

import dev.flyball.review.select.FolderTree;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** The files of a subject, read and measured by all hands. */
public final class SubjectReading {
  /** The receiver of how many files have been read, from any thread. */
  @FunctionalInterface
  public interface Progress {
    Progress NONE = (done, of) -> {};

    void at(int done, int of);
  }

  private SubjectReading() {}

  /** By path. What is gone, is not known or is too large to be read whole, is not there. */
  static Map<String, TextDigest> of(
      Subject subject, DigestStore digests, TokenMeasure measure, Progress progress)
      throws SourceUnavailable, InterruptedException {
    var read = new ConcurrentSkipListMap<String, TextDigest>();
    var done = new AtomicInteger();
    int of = subject.items().size();
    try (var hands = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      var all = new ArrayList<Future<Boolean>>();
      for (var item : subject.items()) {
        all.add(
            hands.submit(
                () -> {
                  if (!item.gone()) {
                    subject
                        .bytes(item.path())
                        .filter(bytes -> bytes.length <= FolderTree.LARGEST)
                        .map(bytes -> digests.of(item.path(), bytes, measure))
                        .ifPresent(digest -> read.put(item.path(), digest));
                  }
                  progress.at(done.incrementAndGet(), of);
                  return true;
                }));
      }
      for (var each : all) {
        each.get();
      }
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof SourceUnavailable unavailable) {
        throw unavailable;
      }
      throw new IllegalStateException(failed.getCause());
    }
    return new TreeMap<>(read);
  }
}
