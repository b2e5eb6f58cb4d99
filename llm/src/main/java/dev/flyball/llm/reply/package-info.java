/**
 * The reading of replies beside their answers: limits and waits out of headers and error bodies,
 * and the meaning of an error.
 */
@NullMarked
package dev.flyball.llm.reply;

import org.jspecify.annotations.NullMarked;
