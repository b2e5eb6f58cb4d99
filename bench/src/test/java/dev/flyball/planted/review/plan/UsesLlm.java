package dev.flyball.planted.review.plan;

import dev.flyball.planted.llm.Wire;

/** A plan that talks to a provider. */
public record UsesLlm(Wire wire) {}
