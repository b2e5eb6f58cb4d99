/** The databases behind a history: connecting, writing in groups, and asking for sums. */
@NullMarked
package dev.flyball.history.store;

import org.jspecify.annotations.NullMarked;
