package dev.flyball.review.ask;

import dev.flyball.llm.Dialect;
import dev.flyball.llm.price.Price;
import dev.flyball.run.KeyLanes;
import java.util.Optional;

/**
 * A model that is asked, and the way to it.
 *
 * @param keys the lanes in which it is asked, one for each key
 * @param simulated whether the answers are made up on this machine
 * @param forms whether the provider holds answers to a schema
 * @param price what it costs, if that is known
 */
public record Reviewer(
    KeyLanes keys,
    Dialect dialect,
    boolean simulated,
    String model,
    boolean forms,
    Optional<Price> price) {}
