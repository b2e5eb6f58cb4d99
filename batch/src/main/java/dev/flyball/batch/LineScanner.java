package dev.flyball.batch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The lines of a file, one after the other, in a buffer that is used again. */
final class LineScanner {
  static final int LONGEST = 64 << 20;

  /** A file that is read at any place. */
  @FunctionalInterface
  interface Source {
    int read(ByteBuffer into, long at) throws IOException;
  }

  private final Source file;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 18);
  private long bufferAt;
  private long next;
  private byte[] bytes = new byte[1 << 12];
  private int length;
  private long offset;
  private boolean whole;

  LineScanner(Source file) {
    this.file = file;
    buffer.limit(0);
  }

  /** Goes to the next line; false at the end. */
  boolean next() throws IOException {
    offset = next;
    length = 0;
    whole = false;
    while (fill()) {
      int from = buffer.position();
      int end = from;
      byte[] seen = buffer.array();
      while (end < buffer.limit() && seen[end] != '\n') {
        end++;
      }
      keep(seen, from, end - from);
      boolean ended = end < buffer.limit();
      buffer.position(ended ? end + 1 : end);
      next = bufferAt + buffer.position();
      if (ended) {
        whole = true;
        return true;
      }
    }
    return next > offset;
  }

  private boolean fill() throws IOException {
    if (buffer.hasRemaining()) {
      return true;
    }
    bufferAt = next;
    buffer.clear();
    int read = file.read(buffer, bufferAt);
    buffer.flip();
    return read > 0;
  }

  /** What is beyond the longest line is counted and not kept. */
  private void keep(byte[] from, int at, int count) {
    int room = Math.max(0, Math.min(count, LONGEST - length));
    if (length + room > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + room, Math.min(LONGEST, bytes.length * 2)));
    }
    System.arraycopy(from, at, bytes, length, room);
    length += room;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  long offset() {
    return offset;
  }

  /** Where the next line begins. */
  long end() {
    return next;
  }

  /** Whether it ended with its newline. */
  boolean whole() {
    return whole;
  }

  boolean blank() {
    for (int i = 0; i < length; i++) {
      if (bytes[i] > ' ' || bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }
}
