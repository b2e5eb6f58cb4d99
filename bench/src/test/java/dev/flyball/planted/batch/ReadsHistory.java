package dev.flyball.planted.batch;

import dev.flyball.planted.history.History;
import dev.flyball.planted.history.record.Entry;

/** Innocent. */
public record ReadsHistory(History history, Entry entry) {}
