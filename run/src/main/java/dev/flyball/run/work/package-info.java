/** One scheduler that work of several kinds shares, for as long as a process works. */
@NullMarked
package dev.flyball.run.work;

import org.jspecify.annotations.NullMarked;
