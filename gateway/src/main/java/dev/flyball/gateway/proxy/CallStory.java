package dev.flyball.gateway.proxy;

import dev.flyball.call.Cost;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.CallStep.Ending;
import dev.flyball.gateway.http.ProxiedCall;
import dev.flyball.run.ChargedReply;
import dev.flyball.scheduler.Permit;
import dev.flyball.scheduler.Waiter;
import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What became of a call so far: what it waited for, its attempts, what they used and cost. It tells
 * each step to whoever listens, and the sum to the client. On the event loop of its request alone.
 */
final class CallStory {
  private static final Pattern UNSAFE = Pattern.compile("[^\\x21-\\x7e]");

  private final ModelProxy proxy;
  private final ProxiedCall call;
  private final long began;
  private final Map<String, Duration> waitedFor = new LinkedHashMap<>(4);
  private RecentCalls.@Nullable Story remembered;
  private int attempts;
  private Duration waited = Duration.ZERO;
  private Usage used = Usage.NONE;
  private Optional<Cost> cost = Optional.of(Cost.NOTHING);

  CallStory(ModelProxy proxy, ProxiedCall call, long began) {
    this.proxy = proxy;
    this.call = call;
    this.began = began;
  }

  ProxiedCall call() {
    return call;
  }

  /** What all of its attempts used. */
  Usage used() {
    return used;
  }

  void tell(CallStep step) {
    if (remembered == null) {
      remembered = proxy.remember(call);
    }
    remembered.add(step);
    proxy.told(call, step);
  }

  /** It has waited for something that no lane knows of. */
  void waited(String what, Duration time) {
    waited = waited.plus(time);
    waitedFor.merge(what, time, Duration::plus);
  }

  void waits(Waiter.Place place) {
    tell(new CallStep.Waits(place.constraint(), Optional.of(place.left()), place.ahead()));
  }

  void sent(Permit<?> permit, Duration since) {
    attempts++;
    waited = waited.plus(since);
    var waits = permit.waited();
    waits.forEach((what, time) -> waitedFor.merge(what.name(), time, Duration::plus));
    tell(new CallStep.Sent(attempts, permit.lane(), waits));
  }

  /** It went without asking anybody. */
  void sentAtOnce(LaneId lane) {
    attempts++;
    tell(new CallStep.Sent(attempts, lane, Map.of()));
  }

  void answering(int status, Duration after) {
    tell(new CallStep.Answering(attempts, status, after));
  }

  /** An attempt, or what there was of it, has used so much. */
  void used(Usage more, Optional<Cost> paid) {
    used = used.plus(more);
    cost = cost.flatMap(sum -> paid.map(sum::plus));
  }

  void attempted(LaneId lane, int status, ChargedReply<?> charged, Duration took, boolean again) {
    used(charged.usage(), charged.cost());
    tell(
        new CallStep.Attempted(
            attempts,
            lane,
            status,
            charged.reply().kind(),
            charged.usage(),
            charged.cost(),
            took,
            again,
            message(charged.reply())));
  }

  private static String message(Reply<?> reply) {
    return switch (reply) {
      case Reply.Answered<?> answered -> "";
      case Reply.Throttled<?> throttled -> throttled.message();
      case Reply.Overloaded<?> overloaded -> overloaded.message();
      case Reply.Broken<?> broken -> broken.message();
      case Reply.CutShort<?> cut -> cut.message();
      case Reply.Rejected<?> rejected -> rejected.message();
    };
  }

  void ended(Ending how, int status, long bytes) {
    var took = Duration.ofNanos(proxy.time().nanos() - began);
    tell(new CallStep.Ended(how, status, attempts, used, cost, waited, took, bytes));
  }

  /** What became of it, as headers if there are any to set, and in a line. */
  String describe(String lane, @Nullable MultiMap headers) {
    var safe = UNSAFE.matcher(lane).replaceAll("?");
    var why = new StringBuilder();
    waitedFor.forEach(
        (what, time) -> {
          if (time.toMillis() > 0) {
            why.append(why.isEmpty() ? "" : ", ").append(what).append(' ').append(Span.words(time));
          }
        });
    if (headers != null) {
      headers.set("x-flyball-lane", safe);
      headers.set("x-flyball-waited-ms", Long.toString(waited.toMillis()));
      headers.set("x-flyball-attempts", Integer.toString(attempts));
      if (!why.isEmpty()) {
        headers.set("x-flyball-waited-for", why.toString());
      }
      return "";
    }
    return "flyball lane=%s waited-ms=%d waited-for=\"%s\" attempts=%d id=%s"
        .formatted(safe, waited.toMillis(), why, attempts, call.id());
  }
}
