package dev.flyball.batch;

import dev.flyball.run.BadInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Single lines of the input, read where the index says they are. */
final class InputLines {
  private InputLines() {}

  static InputLine line(FileChannel file, LineIndex.Entry entry, InputLine.Plain plain)
      throws IOException, BadInput {
    var bytes = ByteBuffer.allocate(entry.length());
    while (bytes.hasRemaining()) {
      if (file.read(bytes, entry.offset() + bytes.position()) < 0) {
        throw new EOFException("the input became shorter while it was read");
      }
    }
    return InputLine.read(bytes.array(), entry.length(), entry.number(), plain);
  }
}
