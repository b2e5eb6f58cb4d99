package dev.flyball.batch;

import java.util.Arrays;

/** A set of fingerprints that takes eight bytes for each. */
final class IdHashes {
  private long[] prints;
  private int count;

  IdHashes() {
    prints = new long[1_024];
  }

  void add(long print) {
    if (count == prints.length) {
      prints = Arrays.copyOf(prints, prints.length * 2);
    }
    prints[count++] = print;
  }

  int count() {
    return count;
  }

  /** To be called when all are in, and before anything is asked. */
  IdHashes sorted() {
    prints = Arrays.copyOf(prints, count);
    Arrays.sort(prints);
    return this;
  }

  boolean contains(long print) {
    return place(print) >= 0;
  }

  /** Where it is in their order; below 0 if it is not there. */
  int place(long print) {
    return Arrays.binarySearch(prints, print);
  }

  /** Those that are in more than once. */
  IdHashes twice() {
    var result = new IdHashes();
    for (int i = 1; i < count; i++) {
      if (prints[i] == prints[i - 1]) {
        result.add(prints[i]);
      }
    }
    return result.sorted();
  }
}
