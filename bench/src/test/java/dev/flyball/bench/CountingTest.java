package dev.flyball.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The short form of what measures counting. */
class CountingTest {
  @Test
  void its_texts_are_the_same_every_time_and_none_comes_twice() throws Exception {
    var texts = Counting.texts(Path.of(".."), 8_000_000);

    assertThat(texts.stream().distinct().count()).isEqualTo(texts.size());
    assertThat(texts.equals(Counting.texts(Path.of(".."), 8_000_000))).isTrue();
    assertThat(texts.stream().mapToLong(String::length).sum()).isBetween(8_000_000L, 9_000_000L);
  }

  @Test
  void a_megabyte_is_counted_in_every_encoding() throws Exception {
    var report = Counting.run(new String[] {"1"}).orElseThrow().toString();

    assertThat(report)
        .contains("gpt-5 (o200k_base)", "claude-sonnet-5 (cl100k_base)", "MB a second");
  }
}
