package dev.flyball.bench.limiters;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * A whole HTTP/1.1 message as it was on the wire: a letter for each byte.
 *
 * @param head its first line and headers
 * @param text head and body, chunks and all
 */
record HttpMessage(String head, String text) {
  private static final int LONGEST_HEAD = 64 * 1024;

  /** The next message of a connection; empty if it ended before one began. */
  static Optional<HttpMessage> read(InputStream in, boolean reply) throws IOException {
    var bytes = new ByteArrayOutputStream(1024);
    if (!lines(in, bytes)) {
      return Optional.empty();
    }
    var head = bytes.toString(StandardCharsets.ISO_8859_1);
    var message = new HttpMessage(head, head);
    if (message.field("transfer-encoding").contains("chunked")) {
      chunks(in, bytes);
    } else if (!message.field("content-length").isEmpty()) {
      copy(in, bytes, Integer.parseInt(message.field("content-length")));
    } else if (reply && message.hasBodyToTheEnd()) {
      in.transferTo(bytes);
    }
    return Optional.of(new HttpMessage(head, bytes.toString(StandardCharsets.ISO_8859_1)));
  }

  /** The status of a reply. */
  int status() {
    return Integer.parseInt(head.split(" ", 3)[1]);
  }

  /** Whether another reply to the same request follows. */
  boolean isInterim() {
    return status() / 100 == 1;
  }

  byte[] bytes() {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private boolean hasBodyToTheEnd() {
    return !isInterim() && status() != 204 && status() != 304;
  }

  private String field(String name) {
    return head.lines()
        .map(line -> line.toLowerCase(Locale.ROOT))
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("");
  }

  /** Copies until an empty line; false if there was nothing at all. */
  private static boolean lines(InputStream in, ByteArrayOutputStream out) throws IOException {
    while (true) {
      int length = line(in, out).length();
      if (out.size() == 0) {
        return false;
      }
      if (length == 0) {
        return true;
      }
      if (out.size() > LONGEST_HEAD) {
        throw new IOException("a head is at most " + LONGEST_HEAD + " bytes long");
      }
    }
  }

  /** Copies a line, and gives it back without its end. */
  private static String line(InputStream in, ByteArrayOutputStream out) throws IOException {
    var line = new StringBuilder();
    while (true) {
      int next = in.read();
      if (next < 0) {
        if (out.size() == 0) {
          return "";
        }
        throw new EOFException("the connection ended within a message");
      }
      out.write(next);
      if (next == '\n') {
        return line.toString().strip();
      }
      line.append((char) next);
    }
  }

  private static void chunks(InputStream in, ByteArrayOutputStream out) throws IOException {
    while (true) {
      int size = Integer.parseInt(line(in, out).split(";", 2)[0].strip(), 16);
      if (size == 0) {
        lines(in, out);
        return;
      }
      copy(in, out, size);
      line(in, out);
    }
  }

  private static void copy(InputStream in, ByteArrayOutputStream out, int count)
      throws IOException {
    var bytes = in.readNBytes(count);
    out.writeBytes(bytes);
    if (bytes.length < count) {
      throw new EOFException("the connection ended within a body");
    }
  }
}
