package dev.flyball.run.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AtomicFileTest {
  @TempDir Path folder;

  @Test
  void a_file_is_replaced_as_a_whole_and_nothing_else_is_left() throws IOException {
    var file = folder.resolve("state.json");
    AtomicFile.replace(file, "old".getBytes(UTF_8));
    AtomicFile.replace(file, "new".getBytes(UTF_8));
    assertThat(file).hasContent("new");
    assertThat(folder).isDirectoryNotContaining(each -> !each.equals(file));
  }

  @Test
  void a_failure_leaves_the_old_one_and_no_litter() throws IOException {
    var file = folder.resolve("state.json");
    AtomicFile.replace(file, "old".getBytes(UTF_8));
    assertThatThrownBy(
            () ->
                AtomicFile.<RuntimeException>replace(
                    file,
                    fresh -> {
                      Files.writeString(fresh, "half");
                      throw new IOException("no space left");
                    }))
        .hasMessage("no space left");
    assertThat(file).hasContent("old");
    assertThat(folder).isDirectoryNotContaining(each -> !each.equals(file));
  }
}
