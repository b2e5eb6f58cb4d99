package dev.flyball.planted.review.plan;

import dev.flyball.planted.forecast.Plan;

/** A plan that foretells itself. */
public record UsesForecast(Plan plan) {}
