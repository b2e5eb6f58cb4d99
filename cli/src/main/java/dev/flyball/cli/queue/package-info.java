/** What {@code flyball queue} puts into a queue, does with what is in it, and shows of it. */
@NullMarked
package dev.flyball.cli.queue;

import org.jspecify.annotations.NullMarked;
