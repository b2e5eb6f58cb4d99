/** A review as people and programs read it. */
@NullMarked
package dev.flyball.review.report;

import org.jspecify.annotations.NullMarked;
