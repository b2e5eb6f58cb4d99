package dev.flyball.planted.batch;

import dev.flyball.planted.history.store.Table;

/** A batch that knows where the past is kept. */
public record UsesStore(Table table) {}
