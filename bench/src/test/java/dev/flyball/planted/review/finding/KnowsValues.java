package dev.flyball.planted.review.finding;

import dev.flyball.planted.call.Call;
import dev.flyball.planted.llm.Sha256;

/** Innocent: values and fingerprints make no call. */
public record KnowsValues(Call call, Sha256 fingerprint) {}
