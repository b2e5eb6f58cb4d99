package dev.flyball.planted.cli;

import dev.flyball.planted.review.finding.Verdict;

/** A command that judges. */
public final class Judges {
  Verdict judged() {
    return Verdict.of();
  }
}
