package dev.flyball.batch;

import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Constraint;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One try at a line, after it is over.
 *
 * @param number 1 for the first
 * @param plain what the characters of its prompt alone suggest, in tokens
 * @param usage what it used, or may have used
 * @param cost of that, empty when the price is not known
 * @param waited what it waited for before it went, and how long
 */
public record LineAttempt(
    LaneId lane,
    String model,
    String id,
    int number,
    Reply<?> reply,
    Estimate estimate,
    double plain,
    Usage usage,
    Optional<Cost> cost,
    Duration took,
    Map<Constraint, Duration> waited,
    Instant at) {}
