package dev.flyball.planted.llm;

import dev.flyball.planted.history.record.Entry;

/** A provider that writes history. */
public record UsesHistory(Entry entry) {}
