/** A Redis, as those see it who keep something together in it: connections, scripts, messages. */
@NullMarked
package dev.flyball.fleet.redis;

import org.jspecify.annotations.NullMarked;
