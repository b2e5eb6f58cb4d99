/**
 * Secrets in text: keys, tokens, passwords and the files that hold them. Everything here runs in a
 * time that grows with its input and no faster, whatever the input is.
 */
@NullMarked
package dev.flyball.review.secret;

import org.jspecify.annotations.NullMarked;
