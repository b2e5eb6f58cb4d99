package dev.flyball.review.run;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.ClaimMerge;
import dev.flyball.review.finding.Place;
import dev.flyball.review.lens.PromptText;
import java.util.Collection;
import java.util.Comparator;

/** The findings of the parts of a change, in short, for the pass across them. */
final class PartFindings {
  private static final int MOST = 40;

  private PartFindings() {}

  /** The gravest first, a line for each. */
  static String of(Collection<Claim> claims) {
    var text = new StringBuilder();
    ClaimMerge.of(claims).stream()
        .sorted(Comparator.comparing(Claim::severity).reversed().thenComparing(Claim.BY_PLACE))
        .limit(MOST)
        .forEach(
            claim -> {
              text.append("found ").append(claim.severity()).append(", ");
              text.append(PromptText.name(claim.place().file().orElse("the change")));
              if (claim.place() instanceof Place.Lines lines) {
                text.append(" line ").append(lines.line());
              }
              text.append(": ").append(PromptText.line(claim.title())).append('\n');
            });
    return text.toString();
  }
}
