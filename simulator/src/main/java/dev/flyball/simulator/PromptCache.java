package dev.flyball.simulator;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The prefixes that one key has had processed lately, and until when each is kept. */
final class PromptCache {
  /** Below this a prefix is not kept. */
  static final long LEAST = 1_024;

  private static final int MANY = 10_000;

  /** Everything up to a mark in the prompt. */
  record Prefix(long hash, long tokens, Duration kept) {}

  /** How the input of a request divides. */
  record Split(long read, long writtenShort, long writtenLong, long fresh) {
    long written() {
      return writtenShort + writtenLong;
    }
  }

  private final Map<Long, Long> until = new HashMap<>();

  /** The longest prefix that is there is read; what lies between it and the last is written. */
  Split split(long input, List<Prefix> prefixes, long now) {
    long read = 0;
    long written = 0;
    long writtenLong = 0;
    for (Prefix prefix : prefixes) {
      if (prefix.tokens() < LEAST) {
        continue;
      }
      if (until.getOrDefault(prefix.hash(), now) > now) {
        read = prefix.tokens();
        written = 0;
        writtenLong = 0;
      } else {
        long more = prefix.tokens() - read - written - writtenLong;
        if (prefix.kept().compareTo(Duration.ofMinutes(5)) > 0) {
          writtenLong += more;
        } else {
          written += more;
        }
      }
    }
    return new Split(read, written, writtenLong, input - read - written - writtenLong);
  }

  /** From the first token of its answer on, a prefix can be read; reading keeps it longer. */
  void keep(List<Prefix> prefixes, long now) {
    if (until.size() > MANY) {
      until.values().removeIf(end -> end <= now);
    }
    for (Prefix prefix : prefixes) {
      if (prefix.tokens() >= LEAST) {
        until.put(prefix.hash(), now + Words.micros(prefix.kept()));
      }
    }
  }
}
