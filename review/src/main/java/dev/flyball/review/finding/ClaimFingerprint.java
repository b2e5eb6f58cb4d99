package dev.flyball.review.finding;

import dev.flyball.llm.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;

/**
 * The part of a claim that stays the same while the code around it changes: the rule, the file, and
 * what the first lines of the place say.
 *
 * <p>Line numbers are not part of it, nor is anything outside the place, so that a push that moves
 * the place, or changes its neighbours, leaves the id as it was. Of the place only its beginning
 * counts: a claim about a long method must outlive an edit inside the method. A beginning that says
 * next to nothing, such as a lone brace, is read on into the following lines of the place. White
 * space does not count, so that formatting changes no id. Places that are alike in all this are
 * told apart by their order.
 */
record ClaimFingerprint(String rule, String file, String window) {
  private static final int TELLING = 12;
  private static final int LONGEST = 400;
  private static final int BYTES = 8;

  static ClaimFingerprint of(Claim claim, Function<Place.Lines, Optional<SourceText>> texts) {
    return switch (claim.place()) {
      case Place.Lines lines ->
          new ClaimFingerprint(
              claim.rule(), lines.path(), texts.apply(lines).map(t -> window(t, lines)).orElse(""));
      case Place.File file -> new ClaimFingerprint(claim.rule(), file.path(), "");
      case Place.Whole whole -> new ClaimFingerprint(claim.rule(), "", "");
    };
  }

  String id(int ordinal) {
    var hash = Sha256.digest();
    for (var part : new String[] {rule, file, window, Integer.toString(ordinal)}) {
      hash.update(part.getBytes(StandardCharsets.UTF_8));
      hash.update((byte) 0);
    }
    return HexFormat.of().formatHex(hash.digest(), 0, BYTES);
  }

  private static String window(SourceText text, Place.Lines place) {
    var window = new StringBuilder();
    int last = Math.min(place.endLine(), text.lines());
    for (int line = place.line(); line <= last && window.length() < TELLING; line++) {
      var content = text.line(line);
      for (int i = 0; i < content.length() && window.length() < LONGEST; i++) {
        if (!Character.isWhitespace(content.charAt(i))) {
          window.append(content.charAt(i));
        }
      }
    }
    return window.toString();
  }
}
