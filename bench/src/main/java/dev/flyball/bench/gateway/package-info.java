/** The gateway under load, beside others that stand in the same place. */
@NullMarked
package dev.flyball.bench.gateway;

import org.jspecify.annotations.NullMarked;
