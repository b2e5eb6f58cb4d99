/**
 * Rate limiters that others wrote, run on this machine: how each is installed and started, the
 * least time that its own rule allows, and the tap on the wire that judges who calls it.
 */
@NullMarked
package dev.flyball.bench.limiters;

import org.jspecify.annotations.NullMarked;
