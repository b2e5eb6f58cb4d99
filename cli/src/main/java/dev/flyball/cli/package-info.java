/** The commands. */
@NullMarked
package dev.flyball.cli;

import org.jspecify.annotations.NullMarked;
