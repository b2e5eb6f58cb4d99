/** Checks that need no model: known defects, and code that is there twice. */
@NullMarked
package dev.flyball.review.check;

import org.jspecify.annotations.NullMarked;
