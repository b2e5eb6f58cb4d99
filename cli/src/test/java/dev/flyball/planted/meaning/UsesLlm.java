package dev.flyball.planted.meaning;

import dev.flyball.planted.llm.Wire;

/** A meaning that would ask a provider. */
public record UsesLlm(Wire wire) {}
