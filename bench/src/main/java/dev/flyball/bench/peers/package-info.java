/**
 * What people use instead, each as its authors describe it, in the same virtual time and against
 * the same providers as Flyball.
 */
@NullMarked
package dev.flyball.bench.peers;

import org.jspecify.annotations.NullMarked;
