package dev.flyball.cli.review;

import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.report.MarkdownReport;
import dev.flyball.run.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * The files in which a job of GitHub Actions is told what came of a step: its summary, and its
 * outputs. Elsewhere there are none.
 */
public final class WorkflowFiles {
  /** A summary that is longer is refused as a whole. */
  private static final int LONGEST_SUMMARY = 1 << 20;

  private static final int ROOM = 10_000;

  private final Map<String, String> environment;

  public WorkflowFiles(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Whether this is such a job. */
  public boolean isWorkflow() {
    return environment.getOrDefault("GITHUB_ACTIONS", "").equals("true");
  }

  /** Adds a review to both. */
  public void add(Review review, String run, ExitCode exit) throws IOException {
    var summary = environment.getOrDefault("GITHUB_STEP_SUMMARY", "");
    if (!summary.isBlank()) {
      var file = Path.of(summary);
      long used = Files.exists(file) ? Files.size(file) : 0;
      append(file, summary(review, LONGEST_SUMMARY - used));
    }
    var outputs = environment.getOrDefault("GITHUB_OUTPUT", "");
    if (!outputs.isBlank()) {
      long known = review.findings().stream().filter(it -> it.baseline()).count();
      append(
          Path.of(outputs),
          """
          verdict=%s
          findings=%d
          critical=%d
          major=%d
          minor=%d
          complete=%s
          run=%s
          exit-code=%d
          """
              .formatted(
                  review.verdict(),
                  review.findings().size() - known,
                  review.count(Severity.CRITICAL),
                  review.count(Severity.MAJOR),
                  review.count(Severity.MINOR),
                  review.coverage().complete(),
                  run,
                  exit.code()));
    }
  }

  /** No more bytes than there is room for, and nothing at all where that would be no summary. */
  private static String summary(Review review, long room) {
    int characters = (int) Math.min(Integer.MAX_VALUE / 2, room);
    while (characters > ROOM) {
      var text = MarkdownReport.of(review, characters) + "\n";
      if (text.getBytes(StandardCharsets.UTF_8).length <= room) {
        return text;
      }
      characters = characters * 3 / 4;
    }
    return "";
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(
        file, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
