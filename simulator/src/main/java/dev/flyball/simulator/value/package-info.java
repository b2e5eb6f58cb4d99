/**
 * Small values that all of the simulator is built from: numbers and times as they are written,
 * seeded chance, tokens, JSON, and a clock that can be sped up.
 */
@NullMarked
package dev.flyball.simulator.value;

import org.jspecify.annotations.NullMarked;
