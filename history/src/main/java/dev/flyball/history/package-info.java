/**
 * What ran, what it used and what it cost, kept between runs. {@link dev.flyball.history.History}
 * is the front door.
 */
@NullMarked
package dev.flyball.history;

import org.jspecify.annotations.NullMarked;
