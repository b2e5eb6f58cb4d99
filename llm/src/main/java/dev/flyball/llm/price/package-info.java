/** What models cost, by a dated list. */
@NullMarked
package dev.flyball.llm.price;

import org.jspecify.annotations.NullMarked;
