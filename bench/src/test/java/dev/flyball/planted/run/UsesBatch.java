package dev.flyball.planted.run;

import dev.flyball.planted.batch.Line;

/** A part of every face that knows one of them. */
public record UsesBatch(Line line) {}
