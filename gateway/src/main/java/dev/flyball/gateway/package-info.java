/** The gateway: identify whoever asks, wait for the limits, forward, account. */
@NullMarked
package dev.flyball.gateway;

import org.jspecify.annotations.NullMarked;
