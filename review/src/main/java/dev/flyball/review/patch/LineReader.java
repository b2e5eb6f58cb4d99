package dev.flyball.review.patch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The lines of a stream of bytes, one at a time, with a line to go back. Line feeds part them and
 * nothing else. Of a line that is longer than what is kept the rest is passed over.
 */
final class LineReader {
  private static final int HEADER = 1 << 16;

  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private int next;
  private int filled;

  private byte[] line = new byte[256];
  private int length;
  private long full;
  private long number;
  private boolean pushedBack;

  LineReader(InputStream in) {
    this.in = in;
  }

  /** Goes on to the next line, of which at most so many bytes are kept; false if there is none. */
  boolean advance(long most) throws IOException {
    if (pushedBack) {
      pushedBack = false;
      return true;
    }
    length = 0;
    full = 0;
    boolean any = false;
    int room = (int) Math.min(Math.max(most, HEADER), Integer.MAX_VALUE - 16);
    while (next < filled || fill()) {
      any = true;
      int end = next;
      while (end < filled && buffer[end] != '\n') {
        end++;
      }
      append(end - next, room);
      if (end < filled) {
        next = end + 1;
        number++;
        return true;
      }
      next = end;
    }
    if (any) {
      number++;
    }
    return any;
  }

  boolean advance() throws IOException {
    return advance(HEADER);
  }

  /** The same line will come again. */
  void back() {
    pushedBack = true;
  }

  private boolean fill() throws IOException {
    filled = Math.max(in.read(buffer), 0);
    next = 0;
    return filled > 0;
  }

  private void append(int count, int room) {
    full += count;
    int kept = Math.min(count, room - length);
    if (line.length < length + kept) {
      line = Arrays.copyOf(line, (int) Math.min(Math.max(line.length * 2L, length + kept), room));
    }
    System.arraycopy(buffer, next, line, length, kept);
    length += kept;
  }

  /** From 1. */
  long number() {
    return number;
  }

  /** Of the line, whether or not all of it was kept. */
  long full() {
    return full;
  }

  /** The first byte, or a line feed if there is none. */
  int first() {
    return length == 0 ? '\n' : line[0];
  }

  /** Whether it is this line and nothing more, not even a carriage return. */
  boolean is(String whole) {
    return length == whole.length() && starts(whole);
  }

  boolean starts(String with) {
    if (length < with.length()) {
      return false;
    }
    for (int i = 0; i < with.length(); i++) {
      if (line[i] != with.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** What was kept of it from there on, as text. */
  String text(int from) {
    return TextDecoder.of(line, from, Math.max(from, length));
  }

  /** The bytes that were kept, one to a character, without a carriage return at the end. */
  String header() {
    int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    return new String(line, 0, end, StandardCharsets.ISO_8859_1);
  }
}
