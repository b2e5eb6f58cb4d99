/**
 * What is known of one limit that replies speak of: how much it is, how much of it is left, how it
 * comes back, and how far that can be trusted. {@link dev.flyball.limit.level.ReckonedLevel} is
 * where it all comes together.
 */
@NullMarked
package dev.flyball.limit.level;

import org.jspecify.annotations.NullMarked;
