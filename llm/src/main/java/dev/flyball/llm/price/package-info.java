/** The dated list of what models cost, and the arithmetic of a call's cost. */
@NullMarked
package dev.flyball.llm.price;

import org.jspecify.annotations.NullMarked;
