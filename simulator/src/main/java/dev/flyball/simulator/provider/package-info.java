/**
 * A provider without a network, which admits requests or turns them away, charges and settles them,
 * and keeps a ledger of it all.
 */
@NullMarked
package dev.flyball.simulator.provider;

import org.jspecify.annotations.NullMarked;
