package dev.flyball.batch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import dev.flyball.run.BadInput;
import dev.flyball.run.file.LineJournal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The file of answers, which is also the memory of what is finished.
 *
 * <p>A line is finished when its newline is in the file. Each is one write; what a crash tore is
 * cut off when the file is opened again. When a write fails, the file is cut back to its last whole
 * line, the line waits in memory with all that follow it, and {@link #awaitRoom} keeps anybody from
 * asking for more until everything is written.
 */
final class AnswerFile implements AutoCloseable {
  /** An answer that is only in memory. */
  // Nobody compares these.
  @SuppressWarnings("ArrayRecordComponent")
  private record Unwritten(String id, byte[] line) {}

  /** What an answer has besides its id. */
  static final Set<String> ANSWERS = Set.of("response", "result");

  private static final JsonFactory JSON = new JsonFactory();
  private static final List<String> BEGINNINGS =
      List.of("{\"custom_id\":\"", "{\"id\":\"batch_req_");

  private final Path path;
  private final LineJournal journal;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final ArrayDeque<Unwritten> unwritten = new ArrayDeque<>();
  private @Nullable String trouble;
  private boolean released;

  private AnswerFile(Path path, LineJournal journal) {
    this.path = path;
    this.journal = journal;
  }

  /** Opens a file for this run alone. */
  static AnswerFile open(Path path) throws IOException, BadInput {
    try {
      return new AnswerFile(path, LineJournal.open(path));
    } catch (LineJournal.Taken taken) {
      throw new BadInput(
          taken.getMessage() + ": wait for it, or choose another file with -o", taken);
    }
  }

  /** Reads the ids of all finished lines and cuts off a torn one at the end. */
  IdHashes finished() throws IOException, BadInput {
    var ids = new IdHashes();
    var hashes = new IdHashes.Fingerprints();
    var lines = new LineScanner(journal::read);
    long end = 0;
    for (long number = 1; lines.next(); number++) {
      if (!lines.whole()) {
        if (!mayBeTorn(lines)) {
          throw foreign(number).get();
        }
        break;
      }
      if (!lines.blank()) {
        ids.add(hashes.of(id(lines.bytes(), lines.length(), ANSWERS).orElseThrow(foreign(number))));
      }
      end = lines.end();
    }
    journal.cut(end);
    return ids.sorted();
  }

  private Supplier<BadInput> foreign(long number) {
    return () ->
        new BadInput(
            "line %,d of %s is not an answer: name another file with -o, or move this one away"
                .formatted(number, path));
  }

  /** Whether a last line without its end begins as an answer does, and so may be cut off. */
  private static boolean mayBeTorn(LineScanner lines) {
    var text = new String(lines.bytes(), 0, Math.min(lines.length(), 40), StandardCharsets.UTF_8);
    return BEGINNINGS.stream().anyMatch(begin -> begin.startsWith(text) || text.startsWith(begin));
  }

  /** The {@code custom_id} of a line that also has one of these fields. */
  static Optional<String> id(byte[] line, int length, Set<String> fields) {
    var id = Optional.<String>empty();
    try (var parser = JSON.createParser(line, 0, length)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        var name = parser.currentName();
        parser.nextToken();
        if (name.equals("custom_id")) {
          id = Optional.ofNullable(parser.getValueAsString());
        } else if (fields.contains(name) && id.isPresent()) {
          return id;
        }
        parser.skipChildren();
      }
      return Optional.empty();
    } catch (IOException garbled) {
      return Optional.empty();
    }
  }

  /** Writes a finished line, or keeps it until it can be written. */
  void append(String id, byte[] line) {
    lock.lock();
    try {
      unwritten.add(new Unwritten(id, line));
      flush();
    } finally {
      lock.unlock();
    }
  }

  private void flush() {
    for (var next = unwritten.peek(); next != null; next = unwritten.peek()) {
      try {
        journal.append(next.line());
        unwritten.remove();
      } catch (IOException failed) {
        trouble = String.valueOf(failed.getMessage());
        return;
      }
    }
    if (trouble != null) {
      trouble = null;
      room.signalAll();
    }
  }

  /** Tries again what could not be written; to be called now and then. */
  void retry() {
    lock.lock();
    try {
      if (trouble != null) {
        flush();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits while answers cannot be written; when nobody is to wait on, that is an interruption. */
  void awaitRoom() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (trouble != null) {
        if (released) {
          throw new InterruptedException("the run ends, and there is no room");
        }
        room.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Lets go whoever waits for room. */
  void release() {
    lock.lock();
    try {
      released = true;
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Why nothing can be written, if so. */
  Optional<String> trouble() {
    lock.lock();
    try {
      return Optional.ofNullable(trouble);
    } finally {
      lock.unlock();
    }
  }

  /** The ids of answers that are only in memory. */
  List<String> unwritten() {
    lock.lock();
    try {
      var ids = new ArrayList<String>();
      unwritten.forEach(each -> ids.add(each.id()));
      return ids;
    } finally {
      lock.unlock();
    }
  }

  /** Makes sure that what was written survives a power cut; to be called each second. */
  void sync() {
    try {
      journal.force();
    } catch (IOException full) {
      // The next write says so too, and then it is acted upon.
      return;
    }
  }

  /** Reads from a place of the file. */
  int read(ByteBuffer into, long at) throws IOException {
    return journal.read(into, at);
  }

  @Override
  public void close() throws IOException {
    release();
    journal.close();
  }
}
