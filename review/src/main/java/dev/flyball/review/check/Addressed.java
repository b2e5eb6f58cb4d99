package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Text;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Text in files that speaks to whoever reviews them, which is somebody's attempt to be judged by
 * other rules than everybody else.
 */
final class Addressed {
  private static final int LONGEST_LINE = 2_000;
  private static final double SURE = 0.85;

  private static final Pattern SPEAKS =
      Pattern.compile(
          "(?i)\\bignore (?:all |any |the )?(?:previous|prior|above|earlier)"
              + " (?:instructions?|prompts?|rules)|\\b(?:dear|note to|attention|hey),? (?:the"
              + " )?(?:ai|llm|code review(?:er)?|reviewers?|reviewing"
              + " model)\\b|\\b(?:ai|llm|automated|code) reviewers?"
              + " (?:must|should|shall|please|may|can)\\b|\\bapprove (?:this|the) (?:pr|pull"
              + " request|merge request|change|diff|commit)\\b|\\b(?:do not|don't|never)"
              + " (?:report|flag|mention)"
              + " (?:this|these|any|anything|issues|findings)\\b|\\b(?:respond|reply|answer|return)"
              + " (?:only )?with (?:\"|')?(?:approved?|lgtm|no"
              + " (?:issues|findings|problems))\\b|\\byou are (?:now )?(?:an? )?(?:ai|llm|helpful"
              + " assistant|code reviewer)\\b");

  private Addressed() {}

  static List<Claim> in(Collection<Text> texts) {
    var claims = new ArrayList<Claim>();
    for (var text : texts) {
      for (int i = 1; i <= text.lines(); i++) {
        var line = text.line(i);
        if (line.length() <= LONGEST_LINE) {
          var found = SPEAKS.matcher(line);
          if (found.find()) {
            claims.add(
                Rulebook.claim(
                    Rulebook.ADDRESSED, Place.lines(text, i, i), "", found.group(), "text", SURE));
          }
        }
      }
    }
    return claims;
  }
}
