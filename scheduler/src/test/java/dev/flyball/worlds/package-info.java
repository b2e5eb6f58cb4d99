/**
 * Worlds: the real scheduler against a scripted provider, on one thread, in virtual time, from a
 * seed. The provider counts with arithmetic of its own: if it used ours, a mistake would agree with
 * itself.
 */
@NullMarked
package dev.flyball.worlds;

import org.jspecify.annotations.NullMarked;
