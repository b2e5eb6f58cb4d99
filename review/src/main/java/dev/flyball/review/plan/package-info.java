/**
 * Plans of reviews before anything is asked: lenses, how a subject is gone through, the units and
 * what each may use.
 */
@NullMarked
package dev.flyball.review.plan;

import org.jspecify.annotations.NullMarked;
