/**
 * A house in miniature with a hole in every wall: what the walls are shown to see that they can
 * fail.
 */
@NullMarked
package dev.flyball.planted;

import org.jspecify.annotations.NullMarked;
