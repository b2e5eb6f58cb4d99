package dev.flyball.review.source;

/** The two states that a change is between. */
public record ChangeSides(TreeState old, TreeState now) {}
