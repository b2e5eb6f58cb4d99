/**
 * The record of what ran, what it used and what it cost, kept between runs in SQLite or PostgreSQL.
 *
 * <p>{@link dev.flyball.history.History} is the front door: whoever keeps or reads a history opens
 * one, and hands it and gets from it the values of {@code record}. How they are stored is behind
 * it, in {@code store}.
 */
@NullMarked
package dev.flyball.history;

import org.jspecify.annotations.NullMarked;
