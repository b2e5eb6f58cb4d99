package dev.flyball.batch;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.call.Refusal;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** The file of lines that failed for good, with what to do about each. */
final class FailureFile implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final int KINDS = 5;

  private final Path path;
  private final boolean simulated;
  private final ReentrantLock lock = new ReentrantLock();
  private OutputStream out = OutputStream.nullOutputStream();
  private final Map<String, Integer> kinds = new LinkedHashMap<>();
  private long count;

  FailureFile(Path path, boolean simulated) {
    this.path = path;
    this.simulated = simulated;
  }

  /** Begins it anew, or goes on with it; nothing is touched before. */
  void begin(boolean keep) throws IOException {
    out =
        new BufferedOutputStream(
            Files.newOutputStream(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                keep ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING),
            1 << 14);
  }

  /** The ids of what failed in an earlier run. */
  static IdHashes earlier(Path path) throws IOException {
    var ids = new IdHashes();
    if (Files.exists(path)) {
      var hashes = new IdHashes.Fingerprints();
      try (var file = FileChannel.open(path, StandardOpenOption.READ)) {
        var lines = new LineScanner(file::read);
        while (lines.next()) {
          AnswerFile.id(lines.bytes(), lines.length(), Set.of("line", "error"))
              .ifPresent(id -> ids.add(hashes.of(id)));
        }
      }
    }
    return ids.sorted();
  }

  /**
   * Notes a failure; one that cannot be written is asked again by the next run, so it only counts.
   */
  void add(
      LineIndex.Entry entry,
      String id,
      OptionalInt status,
      String message,
      String advice,
      int attempts) {
    var node = JSON.createObjectNode().put("custom_id", id).put("line", entry.number());
    var error = node.putObject("error");
    if (status.isPresent()) {
      error.put("status", status.getAsInt());
    } else {
      error.putNull("status");
    }
    error.put("message", message).put("advice", advice).put("attempts", attempts);
    if (simulated) {
      node.put("simulated", true);
    }
    var said = Refusal.LaneShut.words(message, advice);
    lock.lock();
    try {
      count++;
      if (kinds.size() < KINDS || kinds.containsKey(said)) {
        kinds.merge(said, 1, Integer::sum);
      }
      out.write(JSON.writeValueAsBytes(node));
      out.write('\n');
    } catch (IOException full) {
      return;
    } finally {
      lock.unlock();
    }
  }

  /** What went wrong and what to do, each once with how often; the first few. */
  Map<String, Integer> kinds() {
    lock.lock();
    try {
      return new LinkedHashMap<>(kinds);
    } finally {
      lock.unlock();
    }
  }

  void flush() {
    lock.lock();
    try {
      out.flush();
    } catch (IOException full) {
      return;
    } finally {
      lock.unlock();
    }
  }

  /** An empty file would only puzzle. */
  @Override
  public void close() throws IOException {
    flush();
    out.close();
    if (count == 0 && Files.exists(path) && Files.size(path) == 0) {
      Files.delete(path);
    }
  }
}
