/**
 * What a reply says beside its answer: limits and waits out of its headers, and what an error
 * means.
 */
@NullMarked
package dev.flyball.llm.reply;

import org.jspecify.annotations.NullMarked;
