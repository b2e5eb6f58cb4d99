package dev.flyball.simulator.limit;

import java.time.Duration;

/** Everything up to a mark in a prompt, and how long a prompt cache keeps it. */
public record PromptPrefix(long hash, long tokens, Duration kept) {}
