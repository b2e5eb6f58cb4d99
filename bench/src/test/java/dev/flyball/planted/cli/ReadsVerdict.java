package dev.flyball.planted.cli;

import dev.flyball.planted.review.finding.Verdict;

/** Innocent: a verdict is there to be read. */
public record ReadsVerdict(Verdict verdict) {}
