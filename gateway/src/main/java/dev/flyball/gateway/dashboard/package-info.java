/** The page: what is going on and what was, for people. It shows and never steers. */
@NullMarked
package dev.flyball.gateway.dashboard;

import org.jspecify.annotations.NullMarked;
