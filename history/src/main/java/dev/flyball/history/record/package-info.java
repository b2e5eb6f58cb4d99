/** Values that a history takes in and gives back. */
@NullMarked
package dev.flyball.history.record;

import org.jspecify.annotations.NullMarked;
