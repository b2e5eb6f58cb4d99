/**
 * The choices of whoever starts a simulator: the profile of an account, and which answers, delays,
 * headers and faults to expect.
 */
@NullMarked
package dev.flyball.simulator.setting;

import org.jspecify.annotations.NullMarked;
