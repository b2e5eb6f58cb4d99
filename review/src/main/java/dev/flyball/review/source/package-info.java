/** Git repositories: the ranges of commits and the states of files that a review is about. */
@NullMarked
package dev.flyball.review.source;

import org.jspecify.annotations.NullMarked;
