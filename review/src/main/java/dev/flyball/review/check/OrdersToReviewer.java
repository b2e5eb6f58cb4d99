package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Text in files that speaks to whoever reviews them, which is somebody's attempt to be judged by
 * other rules than everybody else.
 */
final class OrdersToReviewer {
  private static final int LONGEST_LINE = 2_000;
  private static final double SURE = 0.85;

  private static final Pattern ORDERS =
      Pattern.compile(
          "(?i)\\bignore (?:all |any |the )?(?:previous|prior|above|earlier)"
              + " (?:instructions?|prompts?|rules)|\\bapprove (?:this|the) (?:pr|pull request|merge"
              + " request|change|diff|commit|code|patch)\\b|\\bapprove this[.!]|\\b(?:do"
              + " not|don't|never) (?:report|flag|mention)"
              + " (?:this|these|any|anything|issues|findings)\\b|\\b(?:respond|reply|answer|return)"
              + " (?:only )?with (?:\"|')?(?:approved?|lgtm|no (?:issues|findings|problems))\\b");
  private static final Pattern SPEAKS =
      Pattern.compile(
          "(?i)\\b(?:dear|note to|attention|hey),? (?:the"
              + " )?(?:ai|llm|code review(?:er)?|reviewers?|reviewing"
              + " model)\\b|\\b(?:ai|llm|automated|code) reviewers?"
              + " (?:must|should|shall|please|may|can)\\b|\\byou are (?:now )?(?:an?"
              + " )?(?:ai|llm|helpful assistant|code reviewer)\\b");

  private OrdersToReviewer() {}

  /**
   * All of them.
   *
   * @param change whether the texts are those of a change: an order that somebody slips into it is
   *     critical, and no remark in it suppresses that
   */
  static List<Claim> in(Collection<SourceText> texts, boolean change) {
    var claims = new ArrayList<Claim>();
    for (var text : texts) {
      for (int i = 1; i <= text.lines(); i++) {
        var line = text.line(i);
        if (line.length() <= LONGEST_LINE) {
          var order = ORDERS.matcher(line);
          var words = SPEAKS.matcher(line);
          if (order.find()) {
            var claim = claim(Rulebook.ORDERS, text, i, order.group());
            claims.add(change ? claim.as(Severity.CRITICAL) : claim);
          } else if (words.find()) {
            claims.add(claim(Rulebook.ADDRESSED, text, i, words.group()));
          }
        }
      }
    }
    return claims;
  }

  /** Whether a claim is one that no remark suppresses. */
  static boolean isLasting(Claim claim) {
    return claim.rule().equals(Rulebook.ORDERS) && claim.severity() == Severity.CRITICAL;
  }

  private static Claim claim(String rule, SourceText text, int line, String words) {
    return Rulebook.claim(rule, Place.lines(text, line, line), "", words, "text", SURE);
  }
}
