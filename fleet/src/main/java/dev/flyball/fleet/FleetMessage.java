package dev.flyball.fleet;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import java.util.List;
import java.util.Optional;

/**
 * Everything that the replicas of a fleet and its keeper say to each other.
 *
 * <p>A lane is named by a number that its replica chose; a call by one that is unique in that.
 */
sealed interface FleetMessage {
  /** The keeper's version of all this; replicas of another one are turned away. */
  int VERSION = 3;

  /** From a replica. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "t")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Hello.class, name = "hello"),
    @JsonSubTypes.Type(value = Open.class, name = "open"),
    @JsonSubTypes.Type(value = Ask.class, name = "ask"),
    @JsonSubTypes.Type(value = Drop.class, name = "drop"),
    @JsonSubTypes.Type(value = Headers.class, name = "headers"),
    @JsonSubTypes.Type(value = Ended.class, name = "ended"),
    @JsonSubTypes.Type(value = Ping.class, name = "ping"),
    @JsonSubTypes.Type(value = Look.class, name = "look"),
    @JsonSubTypes.Type(value = Bye.class, name = "bye")
  })
  sealed interface ToKeeper extends FleetMessage {}

  /** What is remembered for the next keeper. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "t")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Went.class, name = "went"),
    @JsonSubTypes.Type(value = Drop.class, name = "drop"),
    @JsonSubTypes.Type(value = Headers.class, name = "headers"),
    @JsonSubTypes.Type(value = Ended.class, name = "ended")
  })
  sealed interface OfPast extends FleetMessage {}

  /** From the keeper. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "t")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Members.class, name = "members"),
    @JsonSubTypes.Type(value = Go.class, name = "go"),
    @JsonSubTypes.Type(value = Standing.class, name = "standing"),
    @JsonSubTypes.Type(value = Again.class, name = "again"),
    @JsonSubTypes.Type(value = Shown.class, name = "shown"),
    @JsonSubTypes.Type(value = Refused.class, name = "refused")
  })
  sealed interface ToReplica extends FleetMessage {}

  /**
   * A replica comes, with what it has begun elsewhere.
   *
   * @param who the same for as long as its process lives
   */
  record Hello(int version, String who, String name, double weight, List<Open> lanes)
      implements ToKeeper {}

  /**
   * A replica uses a lane.
   *
   * @param learned what was known of it at the beginning of the past
   * @param past what happened in the lane before and is known here, with all of this replica's
   *     attempts that are under way
   * @param underWay the numbers of these
   */
  record Open(
      int lane,
      LaneId id,
      LaneProfile profile,
      LearnedLimits.OfLane learned,
      List<Past> past,
      List<Long> underWay)
      implements ToKeeper {}

  /**
   * Something that happened.
   *
   * @param age how long ago that was, in nanoseconds
   * @param who the replica
   */
  record Past(long age, String who, OfPast what) {}

  /** An attempt went. */
  record Went(int lane, long number, Estimate estimate, String kind) implements OfPast {}

  /** Calls wait. */
  record Ask(int lane, List<Wanted> calls) implements ToKeeper {}

  /** One of them. */
  record Wanted(long number, Estimate estimate, String kind, long patienceMillis) {}

  /**
   * Calls do not wait any longer, or do not use their departure.
   *
   * @param late whether their moment had passed: what they were charged stays so
   */
  record Drop(int lane, List<Long> numbers, boolean late) implements ToKeeper, OfPast {}

  /** Response headers are there. */
  record Headers(int lane, long number, Signals signals) implements ToKeeper, OfPast {}

  /** An attempt is over. */
  record Ended(int lane, long number, Reply.Kind kind, Usage usage, Signals signals, boolean sent)
      implements ToKeeper, OfPast {}

  /** Is the keeper there? */
  record Ping() implements ToKeeper {}

  /** Somebody looks at the fleet, and takes no part in it. */
  record Look() implements ToKeeper {}

  /** A replica goes. */
  record Bye() implements ToKeeper {}

  /** How many replicas there are, and which of them this one is. */
  record Members(int count, int rank) implements ToReplica {}

  /** Calls may go. */
  record Go(int lane, List<Departure> departures) implements ToReplica {}

  /**
   * The moment at which one call may leave.
   *
   * @param at on the keeper's clock, in nanoseconds; 0 for at once
   */
  record Departure(long number, long at) {}

  /**
   * What the fleet has learned of a lane, and what its calls wait for.
   *
   * @param past what happened since this was told last
   * @param anew whether what was told of the past before is to be forgotten
   */
  record Standing(
      int lane, LearnedLimits.OfLane learned, String waitsFor, List<Past> past, boolean anew)
      implements ToReplica {}

  /** A call will not get its departure, and must be asked for again. */
  record Again(int lane, long number) implements ToReplica {}

  /** What a fleet looks like. */
  record Shown(FleetView view) implements ToReplica {}

  /** The replica takes no part, and why. */
  record Refused(String why) implements ToReplica {}

  /** The reply that an end stands for. */
  static Reply<String> reply(Ended ended) {
    return switch (ended.kind()) {
      case ANSWERED -> new Reply.Answered<>("", ended.usage(), ended.signals());
      case THROTTLED -> new Reply.Throttled<>("", ended.signals());
      case OVERLOADED -> new Reply.Overloaded<>("", ended.signals());
      case BROKEN -> new Reply.Broken<>("", ended.sent());
      case CUT_SHORT -> new Reply.CutShort<>("", ended.usage(), ended.signals());
      // That a key is refused, each replica finds out for itself.
      case REJECTED -> new Reply.Rejected<>("", "", false, Optional.empty(), ended.usage());
    };
  }

  /** What is said of a reply. */
  static Ended ended(int lane, long number, Reply<?> reply) {
    return switch (reply) {
      case Reply.Answered<?> it ->
          new Ended(lane, number, reply.kind(), it.usage(), it.signals(), true);
      case Reply.CutShort<?> it ->
          new Ended(lane, number, reply.kind(), it.usage(), it.signals(), true);
      case Reply.Rejected<?> it ->
          new Ended(lane, number, reply.kind(), it.usage(), Signals.NONE, true);
      case Reply.Broken<?> it ->
          new Ended(lane, number, reply.kind(), Usage.NONE, Signals.NONE, it.sent());
      case Reply.Throttled<?> it ->
          new Ended(lane, number, reply.kind(), Usage.NONE, it.signals(), true);
      case Reply.Overloaded<?> it ->
          new Ended(lane, number, reply.kind(), Usage.NONE, it.signals(), true);
    };
  }
}
