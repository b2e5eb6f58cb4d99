/**
 * Model providers over HTTP: one attempt at a time, what each reply says about limits, and how many
 * tokens a prompt will be.
 */
@NullMarked
package dev.flyball.llm;

import org.jspecify.annotations.NullMarked;
