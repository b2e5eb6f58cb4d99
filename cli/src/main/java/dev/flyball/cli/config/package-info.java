/** The settings of commands: where each value came from, and what is refused. */
@NullMarked
package dev.flyball.cli.config;

import org.jspecify.annotations.NullMarked;
