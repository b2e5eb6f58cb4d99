package dev.flyball.limit.level;

import dev.flyball.call.Sighting;

/**
 * The reply by which a level was last known: when it looked, and at which attempt. Replies come in
 * any order, so one may tell less than another that was already used; and whether the charge of an
 * attempt is in a level depends on which of the two came first.
 */
final class LastSighting {
  private boolean any;
  private long at;

  /** When its attempt went, and the mark of that. */
  private long sentAt = Long.MIN_VALUE;

  private long mark = Long.MIN_VALUE;

  private Sighting.Snapshot snapshot = Sighting.Snapshot.UNKNOWN;

  LastSighting(long now) {
    at = now;
  }

  /** Whether there was one. */
  boolean exists() {
    return any;
  }

  /** The moment at which the provider looked. */
  long at() {
    return at;
  }

  /** Whether it was said as of when the provider looks. */
  boolean tellsWhen() {
    return snapshot != Sighting.Snapshot.UNKNOWN;
  }

  /** A reply to an attempt of then is used. */
  void use(Sighting.Snapshot looked, long attemptMark, long sent) {
    snapshot = looked;
    sentAt = Math.max(sent, sentAt);
    mark = attemptMark;
  }

  /** That was a level as of then. */
  void sighted(long moment) {
    any = true;
    at = Math.max(moment, at);
  }

  void forget() {
    any = false;
  }

  /** Whether a reply to an attempt of then says less than the one that was used. */
  boolean outdates(Sighting.Snapshot other, long attemptMark, long sent) {
    boolean older = sent < sentAt || (sent == sentAt && attemptMark < mark);
    return older && other != Sighting.Snapshot.HEADERS;
  }

  /** Whether an attempt of then went too late to be in it, or nobody can say. */
  boolean misses(long attemptMark, long sent) {
    boolean after = sent > sentAt || (sent == sentAt && attemptMark > mark);
    return after || snapshot == Sighting.Snapshot.HEADERS;
  }
}
