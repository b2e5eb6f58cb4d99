package dev.flyball.simulator.provider;

import dev.flyball.simulator.limit.CallAttempt;
import dev.flyball.simulator.value.RandomDraw;
import java.util.LinkedHashMap;
import java.util.Map;

/** The calls seen lately and how often each came, for callers who do not say so themselves. */
public final class AttemptHistory {
  private static final int REMEMBERED = 100_000;

  /**
   * One call so far.
   *
   * @param sent how often it came
   * @param met how often it came past the limits, and so met chance
   */
  public record Count(int sent, int met) {
    static final Count NONE = new Count(0, 0);
  }

  private final Map<Long, Count> counts =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Count> eldest) {
          return size() > REMEMBERED;
        }
      };

  private static long call(String key, String model, long identity) {
    return RandomDraw.of(0, RandomDraw.Purpose.NAME, key, model, identity, 0).bits();
  }

  /** It is here again; what it was before. */
  public Count sent(String key, String model, long identity) {
    long call = call(key, model, identity);
    Count before = counts.getOrDefault(call, Count.NONE);
    counts.put(call, new Count(before.sent() + 1, before.met()));
    return before;
  }

  void met(CallAttempt attempt) {
    counts.computeIfPresent(
        call(attempt.key(), attempt.model(), attempt.identity()),
        (call, count) -> new Count(count.sent(), count.met() + 1));
  }
}
