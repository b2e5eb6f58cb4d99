/** Files that a kill or a full disk does not spoil, and the folder that they are in. */
@NullMarked
package dev.flyball.run.file;

import org.jspecify.annotations.NullMarked;
