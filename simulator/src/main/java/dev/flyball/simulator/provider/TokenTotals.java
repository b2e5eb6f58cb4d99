package dev.flyball.simulator.provider;

/**
 * The tokens of all requests that were answered to the end.
 *
 * @param inputTokens those of the input that the prompt cache neither had nor kept
 */
public record TokenTotals(
    long inputTokens, long outputTokens, long cacheReadTokens, long cacheWrittenTokens) {}
