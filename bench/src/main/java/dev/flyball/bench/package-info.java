/** Programs that measure, each a number to hold or to beat. */
@NullMarked
package dev.flyball.bench;

import org.jspecify.annotations.NullMarked;
