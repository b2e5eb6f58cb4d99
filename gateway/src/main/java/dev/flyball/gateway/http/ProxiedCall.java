package dev.flyball.gateway.http;

import java.time.Instant;

/**
 * One call that goes through the gateway, as its story begins.
 *
 * @param id unique; the reply has it as {@code x-flyball-id}
 * @param path as it was asked, without query
 * @param model that is asked, or empty
 * @param streamed whether the answer comes in events
 */
public record ProxiedCall(
    String id,
    Instant at,
    Caller caller,
    String method,
    String path,
    String model,
    boolean streamed) {}
