package dev.flyball.review.source;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A running {@code git} that hands out contents as long as somebody asks, because starting one for
 * each file of a large change takes longer than all the rest.
 */
final class CatFile implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final GitCommand git;
  private @Nullable Process process;
  private @Nullable InputStream from;

  CatFile(GitCommand git) {
    this.git = git;
  }

  /**
   * What a name such as {@code commit:path} stands for, if that is a file.
   *
   * @param path for messages
   */
  byte @Nullable [] of(String name, String path) throws SourceUnavailable {
    lock.lock();
    try {
      return ask(name, path);
    } catch (IOException broken) {
      stop();
      throw SourceUnavailable.failed("reading " + Revision.shown(path), broken);
    } finally {
      lock.unlock();
    }
  }

  private byte @Nullable [] ask(String name, String path) throws IOException, SourceUnavailable {
    if (process == null || from == null) {
      process = git.start("cat-file", "--batch");
      from = new BufferedInputStream(process.getInputStream(), 1 << 16);
    }
    var to = process.getOutputStream();
    to.write((name + "\n").getBytes(StandardCharsets.UTF_8));
    to.flush();
    var words = line(from).split(" ", -1);
    if (words.length != 3 || !words[2].matches("\\d{1,18}")) {
      return null;
    }
    long size = Long.parseLong(words[2]);
    if (size > FileContents.LARGEST) {
      from.skipNBytes(size + 1);
      FileContents.checkSize(path, size);
    }
    var content = from.readNBytes((int) size);
    from.skipNBytes(1);
    return words[1].equals("blob") ? content : null;
  }

  private static String line(InputStream in) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int each = in.read(); each != '\n'; each = in.read()) {
      if (each < 0) {
        throw new EOFException("git ended without an answer");
      }
      line.write(each);
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private void stop() {
    if (process != null) {
      process.destroyForcibly();
    }
    process = null;
    from = null;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      stop();
    } finally {
      lock.unlock();
    }
  }
}
