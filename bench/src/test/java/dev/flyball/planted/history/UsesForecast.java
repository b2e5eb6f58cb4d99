package dev.flyball.planted.history;

import dev.flyball.planted.forecast.Plan;

/** A past that looks ahead. */
public record UsesForecast(Plan plan) {}
