/** Rules of one file each, and what holds code against them. */
@NullMarked
package dev.flyball.review.rule;

import org.jspecify.annotations.NullMarked;
