/**
 * The front door: a subject is set up, planned, asked about and judged, whoever wants the review.
 */
@NullMarked
package dev.flyball.review.run;

import org.jspecify.annotations.NullMarked;
