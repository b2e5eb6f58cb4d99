package dev.flyball.scheduler;

import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import jdk.jfr.Category;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Attempts as the JDK's flight recorder shows them; costs next to nothing while it is off. */
final class FlightRecord {
  /** One attempt, recorded when it settles. */
  @Name("dev.flyball.Attempt")
  @Label("Attempt")
  @Category("Flyball")
  @StackTrace(false)
  static final class AttemptEvent extends jdk.jfr.Event {
    @Label("Lane")
    String lane = "";

    @Label("Call")
    String call = "";

    @Label("Attempt")
    int attempt;

    @Label("Reply")
    String reply = "";

    @Label("Tokens charged")
    long cost;
  }

  private FlightRecord() {}

  static void attempt(LaneId lane, Permit<?> permit, Reply<?> reply) {
    var event = new AttemptEvent();
    if (event.isEnabled()) {
      event.lane = lane.toString();
      event.call = permit.waiter.call.name();
      event.attempt = permit.number;
      event.reply = reply.getClass().getSimpleName();
      event.cost = permit.cost;
      event.commit();
    }
  }
}
