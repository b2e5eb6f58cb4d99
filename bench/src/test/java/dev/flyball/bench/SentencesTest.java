package dev.flyball.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What the product says: all of it can be read, and what was once hard to read is not back. */
class SentencesTest {
  private static final Path HOUSE = Path.of("..");

  /** Of sentences over which readers stumbled, the words that gave them away. */
  private static final List<String> RETIRED =
      List.of(
          "by the token it would be",
          "if nothing is asked twice",
          "asked to their end",
          "turned away",
          "put right what is wrong",
          "go on without with",
          "every word that would be said",
          "so grave",
          "is gone through",
          "found twice is surer",
          "only what this one takes",
          "believes the first reply",
          "prompts are said",
          "an order to the reviewer",
          "throw it on",
          "requests in vain",
          "a minute left",
          "is none\"",
          "the same seed is the same chance",
          "nine times of ten",
          "nobody could need less",
          "never taken for nothing",
          "takes the place of the listed",
          "meets the same wall",
          "mend the request",
          "need no thought",
          "nothing is expected at",
          "is expected, not",
          "polite kill");

  @Test
  void every_kind_of_text_is_in_the_list() throws IOException {
    var all = Sentences.all(HOUSE);
    for (var part :
        List.of(
            "cli/src/main/resources/dev/flyball/cli/help.txt",
            "review/src/main/resources/dev/flyball/review/rule/rules/python/eval-of-text.yaml",
            "gateway/src/main/resources/dev/flyball/gateway/dashboard/now.js",
            "gateway/src/main/java/dev/flyball/gateway/task/TaskCode.java",
            ".build/launch.sh",
            "dist/src/bin/flyball.cmd")) {
      assertThat(all).as(part).anyMatch(line -> line.startsWith(part + ":"));
    }
    assertThat(all).anyMatch(line -> line.contains("Text is run as code"));
    assertThat(all).hasSizeGreaterThan(1_500);
  }

  @Test
  void a_sentence_that_was_replaced_is_not_said_again() throws IOException {
    var all = new ArrayList<>(Sentences.all(HOUSE));
    all.addAll(Files.readAllLines(HOUSE.resolve("README.md")));
    try (var docs = Files.newDirectoryStream(HOUSE.resolve("docs"), "*.md")) {
      for (var page : docs) {
        Files.readAllLines(page).forEach(line -> all.add(page.getFileName() + ": " + line));
      }
    }
    for (var words : RETIRED) {
      assertThat(all)
          .as(words)
          .filteredOn(line -> line.toLowerCase(Locale.ROOT).contains(words))
          .isEmpty();
    }
  }
}
