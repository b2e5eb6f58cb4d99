package dev.flyball.review.ask;

import dev.flyball.call.LaneId;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.Provider;
import dev.flyball.llm.price.Price;
import java.util.Optional;

/**
 * A model that is asked, and the way to it.
 *
 * @param simulated whether the answers are made up on this machine
 * @param forms whether the provider holds answers to a schema
 * @param price what it costs, if that is known
 */
public record Reviewer(
    Provider provider,
    Dialect dialect,
    boolean simulated,
    LaneId lane,
    String model,
    boolean forms,
    Optional<Price> price) {}
