/**
 * The walls between the packages of all modules, and the map of them: tests about the code and not
 * about what it does.
 */
@NullMarked
package dev.flyball.walls;

import org.jspecify.annotations.NullMarked;
