/** Claims about code: where they are, how grave, how they are known again and put together. */
@NullMarked
package dev.flyball.review.finding;

import org.jspecify.annotations.NullMarked;
