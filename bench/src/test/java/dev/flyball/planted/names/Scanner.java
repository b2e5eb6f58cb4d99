package dev.flyball.planted.names;

/** A name of java.util. */
public record Scanner() {}
