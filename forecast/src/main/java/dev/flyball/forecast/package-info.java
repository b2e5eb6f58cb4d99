/**
 * The forecast of what a plan of calls will take, use and cost, before the first is sent.
 *
 * <p>{@link dev.flyball.forecast.Forecast} is the front door for plans of calls, {@link
 * dev.flyball.forecast.Survey} for the round figures of a repository's review.
 */
@NullMarked
package dev.flyball.forecast;

import org.jspecify.annotations.NullMarked;
