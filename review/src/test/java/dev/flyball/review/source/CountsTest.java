package dev.flyball.review.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.HunkLine;
import dev.flyball.review.patch.Patch;
import dev.flyball.review.patch.TextDecoder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines are counted as Git counts them. */
class CountsTest {
  @TempDir Path folder;

  @Test
  void every_commit_of_this_repository_is_counted_as_by_numstat() throws Exception {
    var own = own();
    int files = 0;
    try (var repository = Repository.open(own)) {
      var border = own.resolve(".git/shallow");
      var ends = Files.isRegularFile(border) ? Files.readAllLines(border) : List.<String>of();
      for (var commit :
          TextDecoder.of(Workshop.bytes(own, "rev-list", "--no-merges", "HEAD")).lines().toList()) {
        if (!ends.contains(commit)) {
          files += compared(repository, commit);
        }
      }
    }
    assertThat(files).isPositive();
  }

  @Test
  void every_edge_case_is_counted_as_by_numstat() throws Exception {
    var workshop = Workshop.ofEdgeCases(folder).edited(1, 10);
    try (var repository = Repository.open(folder)) {
      for (var commit : workshop.history()) {
        compared(repository, commit);
      }
    }
  }

  /** However a patch was written, it says the same. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-U0",
        "-U20",
        "--no-prefix",
        "--src-prefix=left/ --dst-prefix=right/",
        "--src-prefix=i/ --dst-prefix=w/",
        "--binary",
        "--full-index",
        "--patience",
        "--inter-hunk-context=9"
      })
  void every_form_of_a_patch_is_counted_as_by_numstat(String form) throws Exception {
    var workshop = Workshop.ofEdgeCases(folder).edited(2, 5);
    for (var commit : workshop.history()) {
      var arguments =
          new ArrayList<>(List.of("diff-tree", "-r", "-p", "--root", "--no-commit-id", "-M"));
      arguments.addAll(List.of(form.split(" ", -1)));
      arguments.add(commit);
      var patch = Workshop.bytes(folder, arguments.toArray(String[]::new));
      arguments.set(2, "--numstat");
      arguments.add(3, "-z");
      var counted =
          Workshop.counted(
              TextDecoder.of(
                  Workshop.bytes(
                      folder,
                      arguments.stream()
                          .filter(each -> !each.matches("--binary|-U.*"))
                          .toArray(String[]::new))));
      assertThat(Patch.read(new ByteArrayInputStream(patch)).files())
          .as("%s of %s", form, commit)
          .map(Workshop.Counted::of)
          .containsExactlyElementsOf(counted);
    }
  }

  private static int compared(Repository repository, String commit)
      throws IOException, SourceUnavailable {
    var files = Workshop.diff(repository, new ChangeRange.Single(commit)).files();
    assertThat(files)
        .as(commit)
        .map(Workshop.Counted::of)
        .containsExactlyElementsOf(Workshop.counted(repository.root(), commit));
    for (var file : files) {
      if (file.whole()) {
        assertThat(lines(file, HunkLine.Kind.ADDED)).isEqualTo(file.added());
        assertThat(lines(file, HunkLine.Kind.DELETED)).isEqualTo(file.deleted());
      }
    }
    return files.size();
  }

  private static Path own() {
    for (var each = Path.of("").toAbsolutePath(); each != null; each = each.getParent()) {
      if (Files.exists(each.resolve(".git"))) {
        return each;
      }
    }
    System.err.println(
        "SKIPPED: this repository's own history is not compared with git, because there is no"
            + " .git");
    return Assumptions.abort("there is no .git");
  }

  private static long lines(FileChange file, HunkLine.Kind kind) {
    return file.hunks().stream()
        .flatMap(hunk -> hunk.lines().stream())
        .filter(line -> line.kind() == kind)
        .count();
  }
}
