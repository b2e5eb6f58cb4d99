package dev.flyball.review.finding;

/**
 * A rule that code is held against, and what breaking it means.
 *
 * @param id as findings name it
 * @param title what is wrong where it is broken
 * @param message why that is bad
 * @param advice what to do about it
 */
public record CheckRule(
    String id, Severity severity, Category category, String title, String message, String advice) {}
