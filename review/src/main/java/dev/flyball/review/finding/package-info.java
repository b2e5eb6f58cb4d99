/**
 * Claims about code: where they are, how grave, how they are known again, and how they are written
 * down.
 */
@NullMarked
package dev.flyball.review.finding;

import org.jspecify.annotations.NullMarked;
