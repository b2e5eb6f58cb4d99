package dev.flyball.planted.names;

/** A name of java.lang. */
@SuppressWarnings("AvoidCommonTypeNames") // The clash is the point.
public record Record() {}
