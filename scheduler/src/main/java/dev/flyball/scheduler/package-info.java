/**
 * The front door and its lanes: the only place that waits or locks.
 *
 * <p>What happens is decided under a lane's lock and done outside it. Locks are taken in one order:
 * lane, then budgets or the slots over all lanes.
 */
@NullMarked
package dev.flyball.scheduler;

import org.jspecify.annotations.NullMarked;
