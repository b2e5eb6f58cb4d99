/** What the first page says, tried. */
@NullMarked
package dev.flyball.readme;

import org.jspecify.annotations.NullMarked;
