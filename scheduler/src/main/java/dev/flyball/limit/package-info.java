/**
 * The parts that decide how fast, and in what order: each {@link dev.flyball.limit.Limit} answers
 * at what moment an attempt could go. None of them reads a clock, waits or locks: they are told
 * {@code now}, in nanoseconds of the lane's monotonic clock, and answer with a moment of the same
 * clock. They are not thread-safe; a lane owns each and keeps it under its lock.
 */
@NullMarked
package dev.flyball.limit;

import org.jspecify.annotations.NullMarked;
