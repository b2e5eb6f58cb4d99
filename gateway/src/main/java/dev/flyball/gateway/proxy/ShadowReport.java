package dev.flyball.gateway.proxy;

import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What pacing would have done to the calls that were forwarded at once. Thread-safe. */
final class ShadowReport {
  private final LongAdder calls = new LongAdder();
  private final LongAdder granted = new LongAdder();
  private final LongAdder waited = new LongAdder();
  private final LongAdder waitedMillis = new LongAdder();
  private final LongAccumulator longest = new LongAccumulator(Math::max, 0);
  private final LongAdder throttled = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();

  /** A call came. */
  void entered() {
    calls.increment();
  }

  /** It would have gone after so long. */
  void granted(Duration after) {
    granted.increment();
    if (after.toMillis() > 0) {
      waited.increment();
      waitedMillis.add(after.toMillis());
      longest.accumulate(after.toMillis());
    }
  }

  /** It would have been refused. */
  void refused(Refusal why) {
    refused.computeIfAbsent(why.getClass().getSimpleName(), kind -> new LongAdder()).increment();
  }

  /** That is what the provider said to it, which was not paced. */
  void replied(Reply<?> reply) {
    switch (reply) {
      case Reply.Answered<?> answered -> {}
      case Reply.Throttled<?> limited -> throttled.increment();
      case Reply.Overloaded<?> overloaded -> failed.increment();
      case Reply.Broken<?> broken -> failed.increment();
      case Reply.CutShort<?> cut -> failed.increment();
      case Reply.Rejected<?> rejected -> failed.increment();
    }
  }

  JsonObject json() {
    var reasons = new JsonObject();
    refused.forEach((why, count) -> reasons.put(why, count.sum()));
    long some = waited.sum();
    return new JsonObject()
        .put("calls", calls.sum())
        .put("rateLimitedByProvider", throttled.sum())
        .put("failedOtherwise", failed.sum())
        .put("wouldHaveBeenSent", granted.sum())
        .put("wouldHaveWaited", some)
        .put("meanWaitMs", some == 0 ? 0 : waitedMillis.sum() / some)
        .put("longestWaitMs", longest.get())
        .put("wouldHaveBeenRefused", reasons);
  }
}
