package dev.flyball.fleet.queue;

import java.time.Duration;
import java.util.Optional;

/**
 * What became of entries that were to be added.
 *
 * @param known how many are in the queue already
 * @param done how many were done before
 * @param dead how many are dead letters already
 * @param changed how many are known by their keys, and are something else now
 * @param changedKey the first of these
 * @param refused how many found no room
 * @param retryAfter when there may be some, if there was none
 * @param held how many are in the queue now, without dead letters
 */
public record AddedEntries(
    long added,
    long known,
    long done,
    long dead,
    long changed,
    Optional<String> changedKey,
    long refused,
    Optional<Duration> retryAfter,
    long held) {
  /** Nothing was to be added. */
  public static final AddedEntries NOTHING =
      new AddedEntries(0, 0, 0, 0, 0, Optional.empty(), 0, Optional.empty(), 0);

  /** {@return both, of which the other came later} */
  public AddedEntries and(AddedEntries other) {
    return new AddedEntries(
        added + other.added,
        known + other.known,
        done + other.done,
        dead + other.dead,
        changed + other.changed,
        changedKey.or(other::changedKey),
        refused + other.refused,
        other.retryAfter,
        other.held);
  }
}
