/** Plans of reviews before anything is asked: how a subject is gone through, and by which units. */
@NullMarked
package dev.flyball.review.plan;

import org.jspecify.annotations.NullMarked;
