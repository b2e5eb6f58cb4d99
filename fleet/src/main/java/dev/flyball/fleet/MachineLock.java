package dev.flyball.fleet;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock of the operating system on a file, that at most one of all processes holds, and in this
 * one at most one of those who ask. It is free as soon as its holder is dead.
 *
 * <p>Its file stays open for as long as the process lives: on some systems a lock is lost as soon
 * as anybody in its process closes the same file.
 */
final class MachineLock {
  private static final Map<Path, MachineLock> ALL = new ConcurrentHashMap<>();

  private final Path file;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable FileChannel channel;
  private @Nullable FileLock held;

  private MachineLock(Path file) {
    this.file = file;
  }

  static MachineLock of(Path file) {
    return ALL.computeIfAbsent(file.toAbsolutePath().normalize(), MachineLock::new);
  }

  /** Takes it, if nobody has it. */
  boolean take() throws IOException {
    lock.lock();
    try {
      if (held != null) {
        return false;
      }
      var open = channel;
      if (open == null || !open.isOpen()) {
        open = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channel = open;
      }
      held = open.tryLock();
      return held != null;
    } finally {
      lock.unlock();
    }
  }

  void release() {
    lock.lock();
    try {
      var mine = held;
      held = null;
      if (mine != null) {
        mine.release();
      }
    } catch (IOException alreadyGone) {
      // Then it is free.
    } finally {
      lock.unlock();
    }
  }
}
