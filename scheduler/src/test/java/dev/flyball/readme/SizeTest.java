package dev.flyball.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** How much there is to read. */
class SizeTest {
  private static final Pattern NO_CODE = Pattern.compile("\\s*|\\s*(//|/\\*|\\*).*");

  /** Lines of code: what is neither blank nor a comment. */
  @Test
  void the_scheduler_can_be_read_in_one_sitting() throws IOException {
    try (var files = Files.walk(Path.of("src", "main", "java"))) {
      long lines = files.filter(Files::isRegularFile).mapToLong(SizeTest::linesOfCode).sum();
      assertThat(lines).isBetween(1_000L, 9_400L);
    }
  }

  private static long linesOfCode(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.filter(line -> !NO_CODE.matcher(line).matches()).count();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
