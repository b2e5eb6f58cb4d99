/**
 * Ready clients for those who use Flyball as a library: chats with a provider, calls for event
 * loops, and the JDK's HTTP client, each paced by one scheduler.
 */
@NullMarked
package dev.flyball.client;

import org.jspecify.annotations.NullMarked;
