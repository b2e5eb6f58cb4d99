package dev.flyball.planted.forecast;

import dev.flyball.planted.llm.Wire;

/** Guilty: a forecast is told prices and sizes, and asks nobody. */
public record UsesLlm(Wire wire) {}
