package dev.flyball.planted.publish;

import dev.flyball.planted.history.record.Entry;

/** A post that looks up by itself what was reviewed before. */
public record UsesHistory(Entry entry) {}
