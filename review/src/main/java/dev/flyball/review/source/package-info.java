/** Sources of changes: repositories, ranges and patches, read exactly. */
@NullMarked
package dev.flyball.review.source;

import org.jspecify.annotations.NullMarked;
