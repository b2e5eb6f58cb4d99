package dev.flyball.planted.review;

import dev.flyball.planted.simulator.Provider;

/** A product that leans on its test bench. */
public record UsesSimulator(Provider provider) {}
