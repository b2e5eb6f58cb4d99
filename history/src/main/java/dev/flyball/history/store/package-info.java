/**
 * The databases behind a history: their schema, the one thread that writes, the queries that read.
 */
@NullMarked
package dev.flyball.history.store;

import org.jspecify.annotations.NullMarked;
