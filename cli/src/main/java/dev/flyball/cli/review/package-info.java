/** A review that a command runs: how it is watched, and what becomes of it afterwards. */
@NullMarked
package dev.flyball.cli.review;

import org.jspecify.annotations.NullMarked;
