/** Units on their way to models and back: what is said, what came, and whether it is an answer. */
@NullMarked
package dev.flyball.review.ask;

import org.jspecify.annotations.NullMarked;
