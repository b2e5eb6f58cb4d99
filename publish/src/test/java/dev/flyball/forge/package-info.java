/**
 * Hosts of code that are not real and keep the real rules: GitHub and GitLab as their documentation
 * describes them, with Git to say what a change is. Nothing of ours is used here: a defect of ours
 * must not agree with itself.
 */
@NullMarked
package dev.flyball.forge;

import org.jspecify.annotations.NullMarked;
