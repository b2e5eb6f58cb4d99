package dev.flyball.run.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.util.concurrent.atomic.AtomicLong;

/** A file that is replaced as a whole: whoever reads it sees the old one or the new one. */
public final class AtomicFile {
  /** Two who write one file at one time write into two. */
  private static final AtomicLong WRITES = new AtomicLong();

  private AtomicFile() {}

  /** The writer of the new one. */
  @FunctionalInterface
  public interface Content<X extends Exception> {
    void write(Path fresh) throws IOException, X;
  }

  /** Replaces a file by these bytes. */
  public static void replace(Path file, byte[] content) throws IOException {
    AtomicFile.<RuntimeException>replace(file, fresh -> Files.write(fresh, content));
  }

  /**
   * Replaces a file by what is written beside it; of a failure nothing is left.
   *
   * @param rights of the new one, if not the usual ones
   */
  public static <X extends Exception> void replace(
      Path file, Content<X> content, FileAttribute<?>... rights) throws IOException, X {
    var own = ProcessHandle.current().pid() + "-" + WRITES.incrementAndGet();
    var fresh = file.resolveSibling(file.getFileName() + "." + own + ".new");
    try {
      Files.createFile(fresh, rights);
      content.write(fresh);
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (Exception failed) {
      Files.deleteIfExists(fresh);
      throw failed;
    }
  }
}
