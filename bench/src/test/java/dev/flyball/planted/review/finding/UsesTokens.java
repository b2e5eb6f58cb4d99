package dev.flyball.planted.review.finding;

import dev.flyball.planted.llm.token.Count;

/** A finding that knows what it cost to find. */
public record UsesTokens(Count count) {}
