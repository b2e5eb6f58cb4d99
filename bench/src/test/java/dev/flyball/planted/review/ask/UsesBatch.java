package dev.flyball.planted.review.ask;

import dev.flyball.planted.batch.Line;

/** A face that knows another. */
public record UsesBatch(Line line) {}
