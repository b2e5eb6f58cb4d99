package dev.flyball.planted.review.plan;

import dev.flyball.planted.llm.token.Count;

/** Innocent: what is planned has a size. */
public record CountsTokens(Count count) {}
