package dev.flyball.fleet.queue;

import java.time.Duration;
import java.util.Optional;

/**
 * An entry as people see it.
 *
 * @param age how long ago it was added
 * @param tries how often it was tried
 * @param worker who works on it, or did last
 * @param why it failed the last time
 * @param until how long until it is ready again, or until its lease ends
 */
public record ListedEntry(
    String id,
    Shelf shelf,
    String key,
    String kind,
    String output,
    Duration age,
    int tries,
    Optional<String> worker,
    Optional<String> why,
    Optional<Duration> until) {}
