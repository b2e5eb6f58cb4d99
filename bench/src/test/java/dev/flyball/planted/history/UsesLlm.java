package dev.flyball.planted.history;

import dev.flyball.planted.llm.Wire;

/** A past that asks again. */
public record UsesLlm(Wire wire) {}
