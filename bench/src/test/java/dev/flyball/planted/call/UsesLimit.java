package dev.flyball.planted.call;

import dev.flyball.planted.limit.Bucket;

/** A value that knows how fast it may go. */
public record UsesLimit(Bucket bucket) {}
