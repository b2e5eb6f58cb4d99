/**
 * What every face needs to run work: where calls go, what they cost, what was learned of limits,
 * and what is remembered of runs.
 */
@NullMarked
package dev.flyball.run;

import org.jspecify.annotations.NullMarked;
