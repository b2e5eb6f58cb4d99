package dev.flyball.planted.fleet;

import dev.flyball.planted.llm.Wire;

/** A shared limit that knows what is limited. */
public record UsesLlm(Wire wire) {}
