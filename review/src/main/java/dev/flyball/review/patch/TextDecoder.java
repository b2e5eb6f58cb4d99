package dev.flyball.review.patch;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The text of bytes of unknown origin: UTF-8 if they can be that, else Latin-1, which all can be.
 */
public final class TextDecoder {
  private TextDecoder() {}

  public static String of(byte[] bytes) {
    return of(bytes, 0, bytes.length);
  }

  public static String of(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] < 0) {
        return wide(bytes, from, to);
      }
    }
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private static String wide(byte[] bytes, int from, int to) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from, to - from))
          .toString();
    } catch (CharacterCodingException other) {
      return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
  }
}
