/**
 * Limits that many processes keep as one: those of one user on one machine, or many over Redis.
 *
 * <p>{@link dev.flyball.fleet.Fleet} is the front door.
 */
@NullMarked
package dev.flyball.fleet;

import org.jspecify.annotations.NullMarked;
