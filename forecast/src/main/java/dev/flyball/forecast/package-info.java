/** What a plan of calls will take, use and cost, before the first is sent. */
@NullMarked
package dev.flyball.forecast;

import org.jspecify.annotations.NullMarked;
