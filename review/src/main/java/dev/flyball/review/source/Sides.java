package dev.flyball.review.source;

/** The two states that a change is between. */
public record Sides(State old, State now) {}
