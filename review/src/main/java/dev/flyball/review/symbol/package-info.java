/** What code is made of: symbols, who uses them, what looks alike, and which tests belong to it. */
@NullMarked
package dev.flyball.review.symbol;

import org.jspecify.annotations.NullMarked;
