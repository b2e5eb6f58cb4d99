package dev.flyball.planted.history;

import dev.flyball.planted.history.record.Entry;

/** Innocent. */
public record History(Entry entry) {}
