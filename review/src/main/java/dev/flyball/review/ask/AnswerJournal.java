package dev.flyball.review.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The answers of a review, one line each, on the disk before they count. A unit is finished when
 * its newline is there; what a kill has torn is dropped.
 */
public final class AnswerJournal implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FILE = "units.jsonl";

  private final RandomAccessFile file;
  private final Map<String, JsonNode> answers = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  private AnswerJournal(RandomAccessFile file) {
    this.file = file;
  }

  /** That another run writes to it. */
  public static final class Taken extends IOException {
    private static final long serialVersionUID = 1;

    Taken(Path folder) {
      super("another run works on this review: " + folder + " is locked; wait until it has ended");
    }
  }

  /** Opens the journal of a run, and reads what it has. */
  public static AnswerJournal in(Path folder) throws IOException {
    Files.createDirectories(folder);
    // A channel would be closed by the first interrupt of any thread that writes to it.
    var file = new RandomAccessFile(folder.resolve(FILE).toFile(), "rw");
    try {
      if (lock(file.getChannel()).isEmpty()) {
        throw new Taken(folder);
      }
      var journal = new AnswerJournal(file);
      journal.read();
      return journal;
    } catch (IOException | RuntimeException failure) {
      file.close();
      throw failure;
    }
  }

  private static Optional<FileLock> lock(FileChannel file) throws IOException {
    try {
      return Optional.ofNullable(file.tryLock());
    } catch (OverlappingFileLockException here) {
      return Optional.empty();
    }
  }

  /** Through the file that is locked: to close another one of it would end the lock. */
  private void read() throws IOException {
    var bytes = new byte[Math.toIntExact(file.length())];
    file.readFully(bytes);
    int start = 0;
    for (int feed = 0; feed < bytes.length; feed++) {
      if (bytes[feed] == '\n') {
        line(bytes, start, feed - start);
        start = feed + 1;
      }
    }
    file.setLength(start);
    file.seek(start);
  }

  private void line(byte[] bytes, int start, int length) {
    try {
      var line = JSON.readTree(bytes, start, length);
      if (line != null && line.path("key").isTextual() && line.path("said").isObject()) {
        answers.put(line.path("key").asText(), line.path("said"));
      }
    } catch (IOException torn) {
      // Half a line that another one was written behind says nothing; it is asked again.
    }
  }

  /** What was said to a unit before. */
  Optional<JsonNode> answer(String key) {
    lock.lock();
    try {
      return Optional.ofNullable(answers.get(key));
    } finally {
      lock.unlock();
    }
  }

  /** Keeps an answer; when this returns, it is on the disk. */
  void keep(String key, String unit, JsonNode said) throws IOException {
    var line = JSON.createObjectNode().put("key", key).put("unit", unit);
    line.set("said", said);
    var bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    lock.lock();
    try {
      long before = file.getFilePointer();
      try {
        file.write(bytes);
        file.getFD().sync();
      } catch (IOException full) {
        // Half a line would spoil the next one.
        file.setLength(before);
        file.seek(before);
        throw full;
      }
      answers.put(key, said);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
