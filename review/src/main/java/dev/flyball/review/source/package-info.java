/**
 * What there is to review: repositories, folders, ranges and patches, read exactly, and why a file
 * is left out.
 */
@NullMarked
package dev.flyball.review.source;

import org.jspecify.annotations.NullMarked;
