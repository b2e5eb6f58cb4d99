package dev.flyball.cli.option;

import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.ChangeRange;
import dev.flyball.review.source.SourceUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which change is meant, instead of all that there is. */
public final class SubjectOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--diff",
      paramLabel = "RANGE",
      description =
          "A change: A...B is what B did since it left A, A..B what differs between them, and one"
              + " name is that commit.")
  private @Nullable String diff;

  @Option(names = "--staged", description = "The change that the next commit would be.")
  private boolean staged;

  @Option(names = "--worktree", description = "The change since the last commit.")
  private boolean worktree;

  @Option(
      names = "--patch",
      paramLabel = "FILE|-",
      description = "A change as a patch; - is standard input.")
  private @Nullable String patch;

  /** Whether a change was asked for. */
  public boolean isChange() {
    return diff != null || staged || worktree || patch != null;
  }

  /** The change of a repository that was asked for. */
  public Optional<ChangeRange> range() {
    if (Stream.of(diff != null, staged, worktree, patch != null).filter(it -> it).count() > 1) {
      throw wrong("--diff, --staged, --worktree and --patch are different changes: name one");
    }
    try {
      return diff != null
          ? Optional.of(ChangeRange.of(diff))
          : staged
              ? Optional.of(new ChangeRange.Staged())
              : worktree ? Optional.of(new ChangeRange.Worktree()) : Optional.empty();
    } catch (IllegalArgumentException no) {
      throw wrong("--diff: " + no.getMessage());
    }
  }

  /** Reads what is meant, of a folder. */
  public Subject subject(Path folder) throws SourceUnavailable, IOException, PatchRefused {
    var range = range();
    if (range.isPresent()) {
      return Subject.range(folder, range.get());
    }
    if (patch == null) {
      return Subject.folder(folder);
    }
    if (patch.equals("-")) {
      return Subject.patch("patch", System.in, folder);
    }
    try (var in = Files.newInputStream(folder.resolve(patch))) {
      return Subject.patch(patch, in, folder);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
