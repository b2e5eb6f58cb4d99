package dev.flyball.gateway.proxy;

import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.Caller;
import dev.flyball.gateway.http.ProxiedCall;
import dev.flyball.scheduler.Constraint;
import dev.flyball.scheduler.Time;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The stories of the last calls, for whoever asks why one of them took so long. Thread-safe; each
 * story has a lock of its own, so that event loops meet only where a call begins and ends.
 */
final class RecentCalls {
  private static final int MOST = 2_000;
  private static final int MOST_STEPS = 64;

  private record At(long nanos, CallStep step) {}

  /** What is remembered of one call. */
  final class Story {
    private final ProxiedCall call;
    private final long began = time.nanos();
    private final ReentrantLock own = new ReentrantLock();
    private final List<At> steps = new ArrayList<>(5);

    private Story(ProxiedCall call) {
      this.call = call;
    }

    void add(CallStep step) {
      own.lock();
      try {
        if (steps.size() < MOST_STEPS || step instanceof CallStep.Ended) {
          steps.add(new At(time.nanos(), step));
        }
      } finally {
        own.unlock();
      }
      if (step instanceof CallStep.Ended) {
        // While it waited, those that came later may have taken its place.
        keep(this);
      }
    }

    private List<At> steps() {
      own.lock();
      try {
        return List.copyOf(steps);
      } finally {
        own.unlock();
      }
    }
  }

  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Story> stories =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Story> eldest) {
          return size() > MOST;
        }
      };

  RecentCalls(Time time) {
    this.time = time;
  }

  /** A call begins. */
  Story begin(ProxiedCall call) {
    var story = new Story(call);
    keep(story);
    return story;
  }

  private void keep(Story story) {
    lock.lock();
    try {
      stories.putIfAbsent(story.call.id(), story);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Why a call waited, step by step, if it is remembered and was made by whoever asks, or an
   * administrator asks.
   */
  Optional<JsonObject> explain(String id, Caller asking) {
    lock.lock();
    try {
      return Optional.ofNullable(stories.get(id))
          .filter(story -> isFor(story.call.caller(), asking))
          .map(RecentCalls::json);
    } finally {
      lock.unlock();
    }
  }

  private static boolean isFor(Caller owner, Caller asking) {
    return asking.equals(Caller.ADMINISTRATOR)
        || (asking.isKnown() == owner.isKnown() && asking.name().equals(owner.name()));
  }

  private static JsonObject json(Story story) {
    var call = story.call;
    var timeline = new JsonArray();
    story
        .steps()
        .forEach(
            each ->
                timeline.add(
                    json(each.step).put("afterMs", (each.nanos - story.began) / 1_000_000)));
    return new JsonObject()
        .put("id", call.id())
        .put("at", call.at().toString())
        .put("caller", call.caller().name())
        .put("method", call.method())
        .put("path", call.path())
        .put("model", call.model())
        .put("stream", call.streamed())
        .put("timeline", timeline);
  }

  private static JsonObject json(CallStep step) {
    return switch (step) {
      case CallStep.Queued(var lane, var input, var most, var bytes) ->
          new JsonObject()
              .put("step", "queued")
              .put("lane", lane.toString())
              .put("inputTokens", input)
              .put("mostOutputTokens", most)
              .put("bytes", bytes);
      case CallStep.Waits(var constraint, var left, var ahead) ->
          new JsonObject()
              .put("step", "waits")
              .put("for", constraint.name())
              .put("leftMs", left.map(Duration::toMillis).orElse(null))
              .put("ahead", ahead);
      case CallStep.Sent(var attempt, var lane, var waited) ->
          new JsonObject()
              .put("step", "sent")
              .put("attempt", attempt)
              .put("lane", lane.toString())
              .put("waitedMs", waits(waited));
      case CallStep.Answering(var attempt, var status, var after) ->
          new JsonObject()
              .put("step", "answering")
              .put("attempt", attempt)
              .put("status", status)
              .put("tookMs", after.toMillis());
      case CallStep.Attempted tried ->
          new JsonObject()
              .put("step", "attempted")
              .put("attempt", tried.attempt())
              .put("status", tried.status())
              .put("outcome", tried.kind().toString())
              .put("inputTokens", tried.usage().prompt())
              .put("outputTokens", tried.usage().output())
              .put("tookMs", tried.took().toMillis())
              .put("again", tried.again())
              .put("message", tried.message());
      case CallStep.Ended ended ->
          new JsonObject()
              .put("step", "ended")
              .put("how", ended.how().name().toLowerCase(java.util.Locale.ROOT))
              .put("status", ended.status())
              .put("attempts", ended.attempts())
              .put("waitedMs", ended.waited().toMillis())
              .put("tookMs", ended.took().toMillis())
              .put("bytes", ended.bytes());
    };
  }

  private static JsonObject waits(Map<Constraint, Duration> waited) {
    var all = new JsonObject();
    waited.forEach((constraint, time) -> all.put(constraint.name(), time.toMillis()));
    return all;
  }
}
