/** The sizes of requests in tokens, before they are sent. */
@NullMarked
package dev.flyball.llm.token;

import org.jspecify.annotations.NullMarked;
