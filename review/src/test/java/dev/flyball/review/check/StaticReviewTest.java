package dev.flyball.review.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.ChangeRange;
import dev.flyball.review.source.Workshop;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class StaticReviewTest {
  private static final String METHOD =
      "  boolean %s(String name) {\n    return name.equals(null);\n  }\n";

  @TempDir Path folder;

  @Test
  void a_claim_of_a_change_has_the_id_that_it_has_in_the_folder() throws Exception {
    var one = "class A {\n" + METHOD.formatted("one");
    var workshop = Workshop.in(folder).file("A.java", one + "}\n").commit("root");
    workshop.file("A.java", one + METHOD.formatted("two") + "}\n").commit("change");
    var whole = on(Subject.folder(folder)).findings();
    var changed = on(Subject.range(folder, ChangeRange.of("HEAD")));
    assertThat(whole).extracting(Finding::id).hasSize(2).doesNotHaveDuplicates();
    assertThat(changed.claims())
        .extracting(claim -> ((Place.Lines) claim.place()).line())
        .isEqualTo(List.of(6));
    assertThat(changed.findings()).isEqualTo(List.of(whole.getLast()));
  }

  private static StaticReview on(Subject subject) throws Exception {
    try (subject) {
      return StaticReview.on(subject, 1, CheckListener.NONE);
    }
  }
}
