package dev.flyball.review.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FileClassifierTest {
  private static Optional<SkipReason> ofHead(String text) {
    return FileClassifier.ofHead(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void reports_of_reviews_are_not_reviewed() {
    assertThat(ofHead("{\n  \"verdict\" : \"needs_work\",\n  \"mode\" : \"static\"\n"))
        .contains(SkipReason.GENERATED);
    assertThat(ofHead("## ✅ Flyball: approved\n")).contains(SkipReason.GENERATED);
    assertThat(FileClassifier.ofName("out/review.sarif")).contains(SkipReason.GENERATED);
  }

  @Test
  void other_files_that_speak_of_verdicts_are() {
    assertThat(ofHead("{\"verdict\": \"guilty\"}\n")).isEmpty();
    assertThat(ofHead("## About Flyball: a page\n\nwords\n")).isEmpty();
  }
}
