/** A model provider on loopback: true limits, true headers, and faults on request. */
@NullMarked
package dev.flyball.simulator;

import org.jspecify.annotations.NullMarked;
