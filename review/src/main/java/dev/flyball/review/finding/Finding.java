package dev.flyball.review.finding;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A claim that is known again by its id in the next state of the code.
 *
 * @param baseline whether it was known before and is put up with
 * @param refuted why it is wrong, if somebody who looked again has said so
 */
public record Finding(String id, Claim claim, boolean baseline, Optional<String> refuted) {
  /** The gravest first, then by place. */
  public static final Comparator<Finding> ORDER =
      Comparator.comparing(Finding::severity)
          .reversed()
          .thenComparing(Finding::claim, Claim.BY_PLACE)
          .thenComparing(Finding::id);

  public Finding {
    if (id.isBlank()) {
      throw new IllegalArgumentException("a finding has an id, but it was blank");
    }
  }

  public Finding(String id, Claim claim, boolean baseline) {
    this(id, claim, baseline, Optional.empty());
  }

  /**
   * Gives every claim its id; the result is in the order of the claims.
   *
   * @param texts the text that a place counts its lines in, as far as it is at hand
   */
  public static List<Finding> identify(
      Collection<Claim> claims, Function<Place.Lines, Optional<SourceText>> texts) {
    record Numbered(int position, Claim claim) {}
    var alike = new HashMap<ClaimFingerprint, List<Numbered>>();
    int position = 0;
    for (var claim : claims) {
      alike
          .computeIfAbsent(ClaimFingerprint.of(claim, texts), print -> new ArrayList<>())
          .add(new Numbered(position++, claim));
    }
    var findings = new Finding[position];
    for (Map.Entry<ClaimFingerprint, List<Numbered>> group : alike.entrySet()) {
      group.getValue().sort(Comparator.comparing(Numbered::claim, Claim.BY_PLACE));
      int ordinal = 0;
      for (var member : group.getValue()) {
        findings[member.position()] =
            new Finding(group.getKey().id(ordinal++), member.claim(), false);
      }
    }
    return List.of(findings);
  }

  public String rule() {
    return claim.rule();
  }

  public Place place() {
    return claim.place();
  }

  public Severity severity() {
    return claim.severity();
  }

  public Category category() {
    return claim.category();
  }

  /** Whether it says anything about what is reviewed that was not known before. */
  public boolean counts() {
    return !baseline && refuted.isEmpty() && place().scope() != FindingScope.OUTSIDE_CHANGE;
  }

  public Finding known() {
    return new Finding(id, claim, true, refuted);
  }

  /** The same, wrong for a reason. */
  public Finding refuted(String why) {
    return new Finding(id, claim, baseline, Optional.of(why));
  }

  /** The same with a claim that says the same. */
  public Finding with(Claim same) {
    return new Finding(id, ClaimMerge.united(claim, same), baseline, refuted);
  }
}
