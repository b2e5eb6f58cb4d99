package dev.flyball.planted.names;

/** A name of java.io. */
public record Reader() {}
