/** The questions that are asked of code, and the words in which they are asked. */
@NullMarked
package dev.flyball.review.lens;

import org.jspecify.annotations.NullMarked;
