package dev.flyball.gateway.task;

import dev.flyball.run.BadSettings;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The settings of the review server, which may be read again while it runs.
 *
 * @param room how many tasks at a time, and how many wait
 * @param times how long anything may take
 * @param repositories what may be reviewed beside patches
 * @param largestBody bytes of a request, and of a WebSocket message
 * @param mostTokens the most that a client may allow a review; empty leaves it to them
 */
public record TaskSettings(
    Room room, Times times, NamedFolders repositories, int largestBody, OptionalLong mostTokens) {
  private static final int USUAL_BODY = 8 << 20;
  private static final int MOST_BODY = 64 << 20;
  private static final int MOST_QUEUED = 10_000;

  /** Ten at a time and no queue; half an hour each; patches alone. */
  public static final TaskSettings USUAL =
      new TaskSettings(
          new Room(TaskLimit.USUAL, 0, OptionalInt.empty()),
          new Times(
              Duration.ofMinutes(30),
              Duration.ofMinutes(10),
              Duration.ofSeconds(30),
              Duration.ofSeconds(5),
              Duration.ofSeconds(15)),
          NamedFolders.NONE,
          USUAL_BODY,
          OptionalLong.empty());

  /**
   * The room for tasks.
   *
   * @param queued places in the queue; 0 is no queue
   * @param ofTenant the most tasks of one tenant, running and waiting together
   */
  public record Room(TaskLimit limit, int queued, OptionalInt ofTenant) {
    public Room {
      if (queued < 0 || queued > MOST_QUEUED) {
        throw new BadSettings(
            "reviews.queue: must be from 0 to %,d, not %d".formatted(MOST_QUEUED, queued));
      }
      if (ofTenant.isPresent() && ofTenant.getAsInt() < 1) {
        throw new BadSettings("reviews.per-tenant: must be at least 1, not " + ofTenant.getAsInt());
      }
    }
  }

  /**
   * How long anything may take.
   *
   * @param task the longest that a task may run; a client may ask for less
   * @param queue the longest that one may wait for a slot
   * @param client how long a client may take to send a body, or not read what it is sent
   * @param settle how long a task that was told to end may still hold its slot
   * @param quiet after how long without an event a sign of life is sent
   */
  public record Times(
      Duration task, Duration queue, Duration client, Duration settle, Duration quiet) {
    public Times {
      for (var each : new Duration[] {task, queue, client, settle, quiet}) {
        if (!each.isPositive()) {
          throw new BadSettings("reviews: a time must be above 0, not " + each);
        }
      }
    }
  }

  public TaskSettings {
    if (largestBody < 1 || largestBody > MOST_BODY) {
      throw new BadSettings(
          "reviews.largest-body: must be from 1 to %,d bytes, not %,d"
              .formatted(MOST_BODY, largestBody));
    }
    if (mostTokens.isPresent() && mostTokens.getAsLong() < 1) {
      throw new BadSettings(
          "reviews.most-tokens: must be at least 1, not " + mostTokens.getAsLong());
    }
  }

  /** The same with other room. */
  public TaskSettings room(Room other) {
    return new TaskSettings(other, times, repositories, largestBody, mostTokens);
  }

  /** The same with other times. */
  public TaskSettings times(Times other) {
    return new TaskSettings(room, other, repositories, largestBody, mostTokens);
  }

  /** The same with other repositories. */
  public TaskSettings repositories(NamedFolders others) {
    return new TaskSettings(room, times, others, largestBody, mostTokens);
  }

  /** The same for requests of another size. */
  public TaskSettings largestBody(int bytes) {
    return new TaskSettings(room, times, repositories, bytes, mostTokens);
  }
}
