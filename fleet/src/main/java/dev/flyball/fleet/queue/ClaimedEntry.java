package dev.flyball.fleet.queue;

import java.time.Duration;

/**
 * Work that one worker has, for as long as its lease lasts.
 *
 * @param id in its queue
 * @param tries how often it has been given to somebody, this time included
 * @param age how long ago it was added
 */
public record ClaimedEntry(
    String id, int tries, String key, String kind, String output, Duration age, String payload) {}
