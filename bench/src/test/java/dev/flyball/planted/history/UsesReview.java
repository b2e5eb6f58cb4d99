package dev.flyball.planted.history;

import dev.flyball.planted.review.Finding;

/** A past that knows who asked. */
public record UsesReview(Finding finding) {}
