/** What administrators may do to a running server, and what tells machines and logs about it. */
@NullMarked
package dev.flyball.gateway.admin;

import org.jspecify.annotations.NullMarked;
