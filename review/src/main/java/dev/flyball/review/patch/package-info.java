/** A unified diff, read exactly: the files, the hunks and the lines of a change. */
@NullMarked
package dev.flyball.review.patch;

import org.jspecify.annotations.NullMarked;
