/** How many tokens a request will be. */
@NullMarked
package dev.flyball.llm.token;

import org.jspecify.annotations.NullMarked;
