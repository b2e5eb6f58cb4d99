/** The HTTP server that all parts of the gateway share, and what they say to each other. */
@NullMarked
package dev.flyball.gateway.http;

import org.jspecify.annotations.NullMarked;
