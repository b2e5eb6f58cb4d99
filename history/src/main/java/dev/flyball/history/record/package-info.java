/** The values that a history takes in and gives back: runs, attempts, reviews, and sums of them. */
@NullMarked
package dev.flyball.history.record;

import org.jspecify.annotations.NullMarked;
