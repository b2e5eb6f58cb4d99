package dev.flyball.planted.simulator;

import dev.flyball.planted.call.Call;

/** A witness that is not independent. */
public record UsesCall(Call call) {}
