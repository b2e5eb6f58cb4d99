package dev.flyball.planted.review.plan;

import dev.flyball.planted.history.History;

/** A plan that depends on the past. */
public record UsesHistory(History history) {}
