/**
 * Work that waits in a Redis until some worker has done it: by priority and age, each entry once.
 *
 * <p>{@link dev.flyball.fleet.queue.WorkQueue} is the queue, {@link
 * dev.flyball.fleet.queue.QueueWorkers} are those who work on it in one process. Neither knows what
 * the work is.
 */
@NullMarked
package dev.flyball.fleet.queue;

import org.jspecify.annotations.NullMarked;
