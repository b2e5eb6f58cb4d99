package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A folder that is nested deeper than calls can be, and than a path can be long. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class DeepFolderAttackTest {
  @TempDir private Path folder;

  /** No system call takes so long a path, so each folder is made inside the one before. */
  private void sh(String script) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(List.of("sh", "-c", script))
            .directory(folder.resolve("here").toFile())
            .inheritIO()
            .start();
    assertThat(process.waitFor()).isZero();
  }

  @AfterEach
  void clear() throws IOException, InterruptedException {
    sh("rm -rf d");
  }

  @Test
  void it_is_gone_through_as_far_as_it_can_be_and_the_rest_is_named() throws Exception {
    Files.createDirectories(folder.resolve("here"));
    var thousand = "d/".repeat(1_000);
    sh(("mkdir -p " + thousand + " && cd -P " + thousand + " && ").repeat(5) + "true");
    try (var desk = new CommandDesk(folder.resolve("here"))) {
      desk.put("a.py", "x = 1\n");
      var screen = desk.flyball("review", ".", "--format", "json");
      assertThat(screen.exit()).as(screen.err()).isZero();
      assertThat(CommandDesk.JSON.readTree(screen.out()).path("coverage").path("skipped"))
          .anyMatch(skipped -> skipped.path("reason").asText().equals("cannot be read"));
    }
  }
}
