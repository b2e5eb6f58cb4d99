package dev.flyball.simulator.provider;

import dev.flyball.simulator.limit.InputSplit;
import dev.flyball.simulator.limit.PromptPrefix;
import dev.flyball.simulator.value.OptionText;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The prefixes that one organisation has had processed lately, and until when each is kept. One can
 * be read from the first token of the answer on that wrote it.
 */
final class PromptCache {
  /** Below this a prefix is not kept. */
  static final long LEAST = 1_024;

  private static final int MANY = 50_000;

  private final Map<Long, Long> until =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > MANY;
        }
      };
  private final PriorityQueue<Serving> writing =
      new PriorityQueue<>(Comparator.comparingLong(serving -> serving.producedAt(1)));

  /** The longest prefix that is there is read; what lies between it and the last is written. */
  InputSplit split(long input, List<PromptPrefix> prefixes, long now) {
    write(now);
    long read = 0;
    long written = 0;
    long writtenLong = 0;
    for (PromptPrefix prefix : prefixes) {
      if (prefix.tokens() < LEAST) {
        continue;
      }
      long tokens = Math.min(input, prefix.tokens());
      if (until.getOrDefault(prefix.hash(), now) > now) {
        read = tokens;
        written = 0;
        writtenLong = 0;
      } else {
        long more = tokens - read - written - writtenLong;
        if (prefix.kept().compareTo(Duration.ofMinutes(5)) > 0) {
          writtenLong += more;
        } else {
          written += more;
        }
      }
    }
    return new InputSplit(read, written, writtenLong, input - read - written - writtenLong);
  }

  /** Its prefixes will be kept when its first token is there, and longer if they are already. */
  void serve(Serving serving) {
    if (!serving.ask().breakpoints().isEmpty()) {
      writing.add(serving);
    }
  }

  private void write(long now) {
    while (!writing.isEmpty() && writing.peek().producedAt(1) <= now) {
      Serving serving = writing.remove();
      if (serving.reached(serving.producedAt(1))) {
        for (PromptPrefix prefix : serving.ask().breakpoints()) {
          if (prefix.tokens() >= LEAST) {
            long end = serving.producedAt(1) + OptionText.micros(prefix.kept());
            until.merge(prefix.hash(), end, Math::max);
          }
        }
      }
    }
  }
}
