/**
 * Bodies and headers in each provider's dialect, from the JSON of a request to that of a refusal.
 */
@NullMarked
package dev.flyball.simulator.wire;

import org.jspecify.annotations.NullMarked;
