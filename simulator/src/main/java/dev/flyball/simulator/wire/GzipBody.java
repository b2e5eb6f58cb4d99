package dev.flyball.simulator.wire;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/** A compressed body that can be read as far as it has come. */
public final class GzipBody {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final GZIPOutputStream out;

  public GzipBody() {
    try {
      out = new GZIPOutputStream(bytes, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes of one more part of the text. */
  public Buffer part(String text, boolean last) {
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      if (last) {
        out.close();
      } else {
        out.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Buffer part = Buffer.buffer(bytes.toByteArray());
    bytes.reset();
    return part;
  }
}
