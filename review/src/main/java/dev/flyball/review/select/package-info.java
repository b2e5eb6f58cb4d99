/** The choice of the files that are reviewed, and why the others are not. */
@NullMarked
package dev.flyball.review.select;

import org.jspecify.annotations.NullMarked;
