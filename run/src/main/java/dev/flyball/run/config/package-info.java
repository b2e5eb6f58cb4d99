/** The files that say how Flyball is to work: the project's, which may tune, and the user's own. */
@NullMarked
package dev.flyball.run.config;

import org.jspecify.annotations.NullMarked;
