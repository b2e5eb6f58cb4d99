/**
 * A file of prompts in, a file of answers out: what is read, how it runs through the scheduler, and
 * how nothing finished is ever lost.
 */
@NullMarked
package dev.flyball.batch;

import org.jspecify.annotations.NullMarked;
