/** Relations between files and symbols: who uses what, what looks alike, which tests test what. */
@NullMarked
package dev.flyball.review.relation;

import org.jspecify.annotations.NullMarked;
