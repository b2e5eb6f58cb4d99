package dev.flyball.simulator;

import java.time.Duration;

/** Everything up to a mark in a prompt, and how long a prompt cache keeps it. */
record PromptPrefix(long hash, long tokens, Duration kept) {}
