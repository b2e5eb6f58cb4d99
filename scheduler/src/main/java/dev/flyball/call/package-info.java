/** Values a caller hands in and gets back. Immutable, and ignorant of how anything is scheduled. */
@NullMarked
package dev.flyball.call;

import org.jspecify.annotations.NullMarked;
