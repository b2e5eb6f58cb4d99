package dev.flyball.planted.forecast;

import dev.flyball.planted.limit.Bucket;

/** A forecast that decides how fast, and not the scheduler. */
public record UsesLimit(Bucket bucket) {}
