package dev.flyball.simulator.limit;

import java.util.List;

/**
 * A request that is well formed, as the limits see it.
 *
 * @param input tokens of input, cached or not
 * @param breakpoints the prefixes that may be kept in the prompt cache, shortest first
 * @param longest the longest answer that was asked for; 0 if nobody said
 * @param output tokens of the answer that it will get
 * @param metered false if it is counted by requests alone, as counting tokens is
 */
public record ModelRequest(
    CallAttempt call,
    long input,
    List<PromptPrefix> breakpoints,
    long longest,
    long output,
    boolean stream,
    boolean metered) {}
