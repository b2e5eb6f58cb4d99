package dev.flyball.review.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.run.file.LineJournal;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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

  private final LineJournal file;
  private final Map<String, JsonNode> answers = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  private AnswerJournal(LineJournal file) {
    this.file = file;
  }

  /** Another run writes to it. */
  public static final class Taken extends IOException {
    private static final long serialVersionUID = 1;

    Taken(StateFolder folder, Throwable cause) {
      super(
          "another run is working on this review (%s is locked); wait until it has finished"
              .formatted(folder.path()),
          cause);
    }
  }

  /** Opens the journal of a run, and reads what it has. */
  public static AnswerJournal in(StateFolder folder) throws IOException {
    LineJournal file;
    try {
      file = LineJournal.open(folder.made(FILE));
    } catch (LineJournal.Taken taken) {
      throw new Taken(folder, taken);
    }
    try {
      var journal = new AnswerJournal(file);
      journal.read();
      return journal;
    } catch (IOException | RuntimeException failure) {
      file.close();
      throw failure;
    }
  }

  private void read() throws IOException {
    var buffer = ByteBuffer.allocate(Math.toIntExact(file.size()));
    while (buffer.hasRemaining() && file.read(buffer, buffer.position()) > 0) {
      // Until all of it is there.
    }
    var bytes = buffer.array();
    int start = 0;
    for (int feed = 0; feed < bytes.length; feed++) {
      if (bytes[feed] == '\n') {
        line(bytes, start, feed - start);
        start = feed + 1;
      }
    }
    file.cut(start);
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

  /**
   * Keeps an answer; when this returns, it is on the disk.
   *
   * @param unit the id that its request had, by which others know it too
   */
  void keep(String key, String unit, JsonNode answer) throws IOException {
    var line = JSON.createObjectNode().put("key", key).put("unit", unit);
    line.set("said", answer);
    var bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    lock.lock();
    try {
      file.appendForced(bytes);
      answers.put(key, answer);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
