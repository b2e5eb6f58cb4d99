package dev.flyball.review.source;

/** A line of a file that has a word that was looked for. */
public record WordMention(String path, int line, String text) {}
