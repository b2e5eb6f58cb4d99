/** Options that several commands have, and what people may write as their values. */
@NullMarked
package dev.flyball.cli.option;

import org.jspecify.annotations.NullMarked;
