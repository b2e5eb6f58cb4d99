package dev.flyball.run.file;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines that only grows, written by one run at a time. A line counts when its newline is
 * there. Any thread may use it, and an interrupt ends nothing: it is no channel, which the first
 * interrupt of any thread that writes to it would close.
 *
 * <p>The lock is of the process, and a system that knows no better gives it up when <em>any</em>
 * descriptor of the file is closed. So a second one is never opened here: who is writing in this
 * process is known before the file is touched.
 */
public final class LineJournal implements AutoCloseable {
  private static final Set<Object> OPEN = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final Object identity;
  private final RandomAccessFile file;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean unforced;
  private boolean closed;

  private LineJournal(Path path, Object identity, RandomAccessFile file) {
    this.path = path;
    this.identity = identity;
    this.file = file;
  }

  /** Another run writes to the file. */
  public static final class Taken extends IOException {
    private static final long serialVersionUID = 1;

    Taken(Path path) {
      super(path + " is being written by another run");
    }
  }

  /** Opens a file, which is made if it is not there, for this run alone. */
  public static LineJournal open(Path path) throws IOException {
    try {
      Files.createFile(path);
    } catch (FileAlreadyExistsException known) {
      // It goes on.
    }
    var identity = identity(path);
    if (!OPEN.add(identity)) {
      throw new Taken(path);
    }
    RandomAccessFile file = null;
    try {
      file = new RandomAccessFile(path.toFile(), "rw");
      if (lock(file) == null) {
        throw new Taken(path);
      }
      return new LineJournal(path, identity, file);
    } catch (IOException | RuntimeException failed) {
      if (file != null) {
        file.close();
      }
      OPEN.remove(identity);
      throw failed;
    }
  }

  /** Two names of one file are one file. */
  private static Object identity(Path path) throws IOException {
    var key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key == null ? path.toRealPath() : key;
  }

  /** An interrupt closes a file that is being locked, so it has to wait until that is done. */
  private static @Nullable FileLock lock(RandomAccessFile file) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return file.getChannel().tryLock();
    } catch (OverlappingFileLockException here) {
      return null;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  public long size() throws IOException {
    lock.lock();
    try {
      return file.length();
    } finally {
      lock.unlock();
    }
  }

  /** Reads from a place into a buffer that has an array; -1 at the end. */
  public int read(ByteBuffer into, long at) throws IOException {
    lock.lock();
    try {
      file.seek(at);
      int from = into.arrayOffset() + into.position();
      int read = file.read(into.array(), from, into.remaining());
      into.position(into.position() + Math.max(0, read));
      return read;
    } finally {
      lock.unlock();
    }
  }

  /** Cuts off what is behind a place, such as a line that a crash has torn. */
  public void cut(long end) throws IOException {
    lock.lock();
    try {
      file.setLength(end);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes a line at the end; of a failure nothing is left, because half a line spoils the next.
   */
  public void append(byte[] line) throws IOException {
    append(line, false);
  }

  /** The same; when this returns, it survives a power cut. */
  public void appendForced(byte[] line) throws IOException {
    append(line, true);
  }

  private void append(byte[] line, boolean forced) throws IOException {
    lock.lock();
    try {
      long end = file.length();
      try {
        file.seek(end);
        file.write(line);
        unforced = true;
        if (forced) {
          force();
        }
      } catch (IOException failed) {
        file.setLength(end);
        throw failed;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Makes sure that what was written survives a power cut. */
  public void force() throws IOException {
    lock.lock();
    try {
      if (unforced) {
        unforced = false;
        file.getFD().sync();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Closes it, and takes it away if nothing was ever written. */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        end();
      }
    } finally {
      lock.unlock();
    }
  }

  private void end() throws IOException {
    try {
      force();
      if (file.length() == 0) {
        Files.deleteIfExists(path);
      }
    } finally {
      file.close();
      OPEN.remove(identity);
    }
  }
}
