package dev.flyball.planted.scheduler;

import dev.flyball.planted.llm.Wire;

/** A scheduler that knows the wire format. */
public record UsesLlm(Wire wire) {}
