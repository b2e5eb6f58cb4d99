/** Symbols of code: outlines of files in many languages, parsed or guessed. */
@NullMarked
package dev.flyball.review.symbol;

import org.jspecify.annotations.NullMarked;
