/**
 * What can be found in code without asking a model: known defects, and code that is there twice.
 */
@NullMarked
package dev.flyball.review.check;

import org.jspecify.annotations.NullMarked;
