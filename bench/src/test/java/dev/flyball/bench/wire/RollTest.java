package dev.flyball.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RollTest {
  @TempDir private Path folder;

  @Test
  void every_line_that_was_written_is_there_once() throws IOException {
    var file = folder.resolve("calls.jsonl");
    Roll.write(file, 1_000);

    assertThat(Roll.call(file, 1_000)).isEqualTo(new Roll(1_000, 0, 0));
  }

  @Test
  void what_is_there_twice_or_never_is_seen() throws IOException {
    var file = folder.resolve("answers.jsonl");
    Files.write(
        file,
        List.of(
            "{\"custom_id\":\"call-2\"}",
            "{\"custom_id\":\"call-0\"}",
            "{\"custom_id\":\"call-2\"}"));

    assertThat(Roll.call(file, 4)).isEqualTo(new Roll(1, 1, 2));
  }
}
