package dev.flyball.planted.batch;

import dev.flyball.planted.simulator.Provider;

/** A batch that knows who plays the provider. */
public record UsesSimulator(Provider provider) {}
