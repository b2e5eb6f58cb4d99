package dev.flyball.review.finding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * What a review found, and of how much.
 *
 * @param findings the gravest first
 * @param contradictions pairs of them, and of what was overruled, that cannot both be followed
 * @param usage what it used, as it is to be written down
 * @param plan what it was to do, likewise
 */
public record Review(
    Verdict verdict,
    String mode,
    ReviewCoverage coverage,
    List<Finding> findings,
    List<Contradiction> contradictions,
    ObjectNode usage,
    Optional<JsonNode> plan) {
  public Review {
    findings = findings.stream().sorted(Finding.ORDER).toList();
    contradictions = List.copyOf(contradictions);
    usage = usage.deepCopy();
    plan = plan.map(JsonNode::deepCopy);
  }

  /** The same with the plan that it followed. */
  public Review following(JsonNode itsPlan) {
    return new Review(
        verdict, mode, coverage, findings, contradictions, usage, Optional.of(itsPlan));
  }

  /** What it used, in a line; nothing if no model was asked. */
  public Optional<String> used() {
    if (!usage.has("usedTokens")) {
      return Optional.empty();
    }
    long cached = usage.path("cached").asLong();
    return Optional.of(
        "%,d tokens, $%s, %.1f s; %,d units asked%s"
            .formatted(
                usage.path("usedTokens").asLong(),
                usage.path("costUsd").asText(),
                usage.path("durationMs").asLong() / 1e3,
                usage.path("asked").asLong(),
                cached > 0 ? ", %,d answered before".formatted(cached) : ""));
  }

  public long count(Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }
}
