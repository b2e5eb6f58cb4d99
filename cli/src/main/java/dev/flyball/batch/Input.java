package dev.flyball.batch;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Single lines of the input, read where the index says they are. */
final class Input {
  private Input() {}

  static Line line(FileChannel file, Index.Entry entry, Line.Plain plain)
      throws IOException, BadInput {
    var bytes = ByteBuffer.allocate(entry.length());
    while (bytes.hasRemaining()) {
      if (file.read(bytes, entry.offset() + bytes.position()) < 0) {
        throw new EOFException("the input became shorter while it was read");
      }
    }
    return Line.read(bytes.array(), entry.length(), entry.number(), plain);
  }
}
