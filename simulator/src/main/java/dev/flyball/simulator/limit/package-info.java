/** The provider's own limits: meters that count exactly, and the charge of a request on each. */
@NullMarked
package dev.flyball.simulator.limit;

import org.jspecify.annotations.NullMarked;
