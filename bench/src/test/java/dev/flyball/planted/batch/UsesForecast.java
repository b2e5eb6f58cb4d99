package dev.flyball.planted.batch;

import dev.flyball.planted.forecast.Plan;

/** A batch that foretells by itself. */
public record UsesForecast(Plan plan) {}
