package dev.flyball.review.rule;

/**
 * A place where a rule is broken, in offsets of the text.
 *
 * @param end behind its last character
 */
public record RuleHit(DefectRule rule, int start, int end) {}
