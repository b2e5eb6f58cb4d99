package dev.flyball.fleet.queue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A file of results to which workers of many processes add lines, each result once.
 *
 * <p>How it works. A line is written while the file is locked, and only by who has the entry then.
 * An entry that was tried before may have its line already, by a worker that was killed, or thought
 * dead, after it had written: so of such a one it is looked whether it is there. Whoever has the
 * lock sees every line that was written before, so of two that have done the same, the second finds
 * the line of the first, or has lost the entry. A line is on the disk before its entry is said to
 * be done. What a killed writer has torn is cut off by the next.
 *
 * <p>One thread writes, so that an interrupt of a worker closes nothing, and what several workers
 * bring at a time is written and forced together.
 */
public final class ResultFile implements AutoCloseable {
  /** The field that says whose result a line is. */
  public static final String IDENTITY = "custom_id";

  /** What became of a line. */
  public enum Written {
    /** It is in the file. */
    NOW,
    /** It was there already. */
    BEFORE,
    /** Somebody else has the entry, so it was not written. */
    NOT_OURS
  }

  // Nobody compares these.
  @SuppressWarnings("ArrayRecordComponent")
  private record Errand(
      String identity,
      byte[] line,
      boolean maybeThere,
      EntryWork.Claim claim,
      CompletableFuture<Written> outcome) {}

  private static final JsonFactory JSON = new JsonFactory();
  private static final List<String> BEGINNINGS =
      List.of("{\"custom_id\":\"", "{\"id\":\"batch_req_");

  private final Path path;
  private final LinkedBlockingQueue<Errand> errands = new LinkedBlockingQueue<>();
  private final Thread writer;
  private volatile boolean closed;

  /** A file, which is made when the first line is written. In a process there is one of a path. */
  public ResultFile(Path path) {
    this.path = path;
    this.writer = Thread.ofPlatform().daemon().name("flyball-results").start(this::write);
  }

  /**
   * Writes a line, and returns when it is on the disk.
   *
   * @param identity what {@link #IDENTITY} says in it
   * @param line with its newline
   * @throws IOException if it could not be written; nothing of it is in the file then
   */
  public Written append(ClaimedEntry entry, EntryWork.Claim claim, String identity, byte[] line)
      throws IOException, InterruptedException {
    var errand = new Errand(identity, line, entry.tries() > 1, claim, new CompletableFuture<>());
    errands.add(errand);
    if (closed) {
      throw new IOException(path + " is closed");
    }
    try {
      return errand.outcome().get();
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof IOException full
          ? full
          : new IOException(failed.getCause());
    }
  }

  private void write() {
    try {
      while (!closed || !errands.isEmpty()) {
        var batch = new ArrayList<>(List.of(errands.take()));
        errands.drainTo(batch);
        batch.removeIf(errand -> errand.line().length == 0);
        if (!batch.isEmpty()) {
          write(batch);
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(List<Errand> batch) throws InterruptedException {
    var outcomes = new ArrayList<Written>();
    // The lock ends when the file is closed.
    try (var file = new RandomAccessFile(path.toFile(), "rw")) {
      var unused = file.getChannel().lock();
      repair(file);
      long end = file.length();
      var there = there(file, batch);
      try {
        file.seek(end);
        for (var errand : batch) {
          var written =
              there.contains(errand.identity())
                  ? Written.BEFORE
                  : errand.claim().holds() ? Written.NOW : Written.NOT_OURS;
          if (written == Written.NOW) {
            file.write(errand.line());
          }
          outcomes.add(written);
        }
        file.getFD().sync();
      } catch (IOException full) {
        file.setLength(end);
        throw full;
      }
    } catch (IOException full) {
      batch.forEach(errand -> errand.outcome().completeExceptionally(full));
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).outcome().complete(outcomes.get(i));
    }
  }

  /**
   * Which of those that may be there are. It is read through the one descriptor that is open:
   * whoever closes another of the same file gives the lock of the whole process away.
   */
  private static Set<String> there(RandomAccessFile file, List<Errand> batch) throws IOException {
    var wanted = new HashSet<String>();
    batch.stream().filter(Errand::maybeThere).forEach(errand -> wanted.add(errand.identity()));
    var found = new HashSet<String>();
    if (wanted.isEmpty()) {
      return found;
    }
    file.seek(0);
    // Not closed, because that would close the file.
    var in = new BufferedInputStream(Channels.newInputStream(file.getChannel()), 1 << 16);
    var line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next != '\n') {
        line.write(next);
        continue;
      }
      identity(line.toByteArray()).filter(wanted::contains).ifPresent(found::add);
      line.reset();
    }
    return found;
  }

  private static Optional<String> identity(byte[] line) {
    try (var parser = JSON.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean here = parser.currentName().equals(IDENTITY);
        parser.nextToken();
        if (here) {
          return Optional.ofNullable(parser.getValueAsString());
        }
        parser.skipChildren();
      }
      return Optional.empty();
    } catch (IOException foreign) {
      return Optional.empty();
    }
  }

  /** Cuts off half a line of ours at the end; what is somebody else's is not touched. */
  private void repair(RandomAccessFile file) throws IOException {
    long end = file.length();
    if (end == 0) {
      return;
    }
    file.seek(end - 1);
    if (file.read() == '\n') {
      return;
    }
    long start = end;
    var piece = new byte[8192];
    search:
    while (start > 0) {
      int length = (int) Math.min(piece.length, start);
      file.seek(start - length);
      file.readFully(piece, 0, length);
      for (int i = length - 1; i >= 0; i--) {
        if (piece[i] == '\n') {
          start = start - length + i + 1;
          break search;
        }
      }
      start -= length;
    }
    var head = new byte[(int) Math.min(40, end - start)];
    file.seek(start);
    file.readFully(head);
    var text = new String(head, StandardCharsets.UTF_8);
    if (BEGINNINGS.stream().noneMatch(each -> each.startsWith(text) || text.startsWith(each))) {
      throw new IOException(
          "the last line of %s is no result, and has no end: name another file".formatted(path));
    }
    file.setLength(start);
  }

  /** Writes what was brought, and no more. */
  @Override
  public void close() {
    closed = true;
    errands.add(new Errand("", new byte[0], false, () -> false, new CompletableFuture<>()));
    try {
      writer.join();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
