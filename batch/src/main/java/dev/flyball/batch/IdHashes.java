package dev.flyball.batch;

import dev.flyball.llm.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/** A set of fingerprints that takes eight bytes for each. */
final class IdHashes {
  private long[] hashes;
  private int count;

  IdHashes() {
    hashes = new long[1_024];
  }

  void add(long print) {
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, hashes.length * 2);
    }
    hashes[count++] = print;
  }

  int count() {
    return count;
  }

  /** To be called when all are in, and before anything is asked. */
  IdHashes sorted() {
    hashes = Arrays.copyOf(hashes, count);
    Arrays.sort(hashes);
    return this;
  }

  boolean contains(long print) {
    return place(print) >= 0;
  }

  /** Where it is in their order; below 0 if it is not there. */
  int place(long print) {
    return Arrays.binarySearch(hashes, print);
  }

  /** Those that are in more than once. */
  IdHashes twice() {
    var result = new IdHashes();
    for (int i = 1; i < count; i++) {
      if (hashes[i] == hashes[i - 1]) {
        result.add(hashes[i]);
      }
    }
    return result.sorted();
  }

  /**
   * Sixty-four bits that stand for an id or a body. Two of ten million ids share theirs about once
   * in 400,000 files; whoever finds two alike looks at the lines themselves. One thread.
   */
  static final class Fingerprints {
    private final MessageDigest digest = Sha256.digest();

    long of(String text) {
      return of(text.getBytes(StandardCharsets.UTF_8));
    }

    long of(byte[] bytes) {
      return ByteBuffer.wrap(digest.digest(bytes)).getLong();
    }
  }
}
