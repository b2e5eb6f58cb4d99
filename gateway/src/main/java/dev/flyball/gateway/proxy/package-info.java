/** Requests to models on their way through: they wait for their turn, and go on byte for byte. */
@NullMarked
package dev.flyball.gateway.proxy;

import org.jspecify.annotations.NullMarked;
