package dev.flyball.gateway.http;

import java.time.Instant;
import java.util.Optional;

/**
 * One call that goes through the gateway, as its story begins.
 *
 * @param id unique; the reply has it as {@code x-flyball-id}
 * @param path as it was asked, without query
 * @param model that is asked, or empty
 * @param streamed whether the answer comes in events
 * @param trace of the client, if it is traced: the header {@code traceparent}
 */
public record ProxiedCall(
    String id,
    Instant at,
    Caller caller,
    String method,
    String path,
    String model,
    boolean streamed,
    Optional<String> trace) {}
