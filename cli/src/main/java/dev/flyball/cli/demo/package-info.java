/** The two sides of the demo, and the screen that shows both. */
@NullMarked
package dev.flyball.cli.demo;

import org.jspecify.annotations.NullMarked;
