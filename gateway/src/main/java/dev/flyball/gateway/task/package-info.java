/**
 * The review server: a task is a review that a client has asked this server for. Tasks are let in
 * up to a limit, told about as they go, and cut when their client or their time is gone.
 */
@NullMarked
package dev.flyball.gateway.task;

import org.jspecify.annotations.NullMarked;
