package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.select.Subject;
import java.util.ArrayList;
import java.util.List;

/** Orders to the reviewer in what is no content of a file: names of files, and commit texts. */
final class SpokenNames {
  private SpokenNames() {}

  /** Of a change in the names that it gives, else in all. */
  static List<Claim> in(Subject subject) {
    var claims = new ArrayList<Claim>();
    for (var item : subject.items()) {
      boolean named =
          item.change()
              .map(it -> it.newPath().isPresent() && !it.newPath().equals(it.oldPath()))
              .orElse(true);
      if (named) {
        name(item.path(), subject, claims);
      }
    }
    subject.skipped().forEach(file -> name(file.path(), subject, claims));
    for (var commit : subject.commits()) {
      OrdersToReviewer.inName(commit.subject(), new Place.Whole(), true).ifPresent(claims::add);
    }
    return claims;
  }

  private static void name(String path, Subject subject, List<Claim> claims) {
    OrdersToReviewer.inName(path, Place.ofFile(path), subject.isChange()).ifPresent(claims::add);
  }
}
