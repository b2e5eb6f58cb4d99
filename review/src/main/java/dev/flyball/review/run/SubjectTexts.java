package dev.flyball.review.run;

import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.secret.SecretFiles;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The texts that places of findings count their lines in, each read once. */
final class SubjectTexts {
  private final Subject subject;
  private final Map<String, Optional<SourceText>> known = new ConcurrentHashMap<>();

  SubjectTexts(Subject subject) {
    this.subject = subject;
  }

  /** The state of the file that a place is in, as far as it can be had and may be shown. */
  Optional<SourceText> of(Place.Lines place) {
    if (SecretFiles.holdsSecrets(place.path())) {
      return Optional.empty();
    }
    return known.computeIfAbsent(
        place.side() + place.path(),
        key -> {
          try {
            var content =
                place.side() == DiffSide.RIGHT
                    ? subject.text(place.path())
                    : subject.before(place.path());
            return content.map(text -> SourceText.of(place.path(), text));
          } catch (SourceUnavailable gone) {
            return Optional.empty();
          }
        });
  }
}
