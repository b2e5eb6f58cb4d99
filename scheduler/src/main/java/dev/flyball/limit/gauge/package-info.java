/**
 * Toy limiters that stand for what a provider may be counting, and the vote among them. Told the
 * time in seconds; knows neither calls nor lanes.
 */
@NullMarked
package dev.flyball.limit.gauge;

import org.jspecify.annotations.NullMarked;
