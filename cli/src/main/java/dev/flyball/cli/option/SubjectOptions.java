package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.ChangeRange;
import dev.flyball.review.source.SourceUnavailable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  @SetBy(Who.USER)
  @Option(
      names = "--diff",
      paramLabel = "RANGE",
      description =
          "A change: A...B is what changed on B since it branched from A, A..B the difference"
              + " between both, a single name that commit.")
  private @Nullable String diff;

  @SetBy(Who.USER)
  @Option(names = "--staged", description = "The staged changes.")
  private boolean staged;

  @SetBy(Who.USER)
  @Option(names = "--worktree", description = "The changes since the last commit.")
  private boolean worktree;

  @SetBy(Who.USER)
  @Option(
      names = "--patch",
      paramLabel = "FILE|-",
      description = "A patch file; - is standard input.")
  private @Nullable String patch;

  /** Whether a change was asked for. */
  public boolean isChange() {
    return diff != null || staged || worktree || patch != null;
  }

  /** What is said where the change that was asked for has nothing in it. */
  public String nothing() {
    return staged
        ? "there are no staged changes; --worktree reviews those that are not staged yet"
        : worktree
            ? "there are no changes since the last commit"
            : diff != null ? "there are no changes in " + diff : "there are no changes";
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

  /** Reads the patch that was asked for, for a folder. It may be a pipe: that is read once. */
  public Optional<byte[]> patch(Path folder) throws IOException {
    if (range().isPresent() || patch == null) {
      return Optional.empty();
    }
    if (patch.equals("-")) {
      return Optional.of(System.in.readAllBytes());
    }
    try (var in = Files.newInputStream(folder.resolve(patch))) {
      return Optional.of(in.readAllBytes());
    }
  }

  /**
   * Reads what is meant.
   *
   * @param named files and folders; of a change the folder of its repository
   * @param read the patch, if one was asked for
   */
  public Subject subject(List<Path> named, Optional<byte[]> read)
      throws SourceUnavailable, IOException, PatchRefused {
    var range = range();
    if (range.isPresent()) {
      return Subject.range(named.getFirst(), range.get());
    }
    return patch == null
        ? Subject.files(named)
        : Subject.patch(
            patch.equals("-") ? "patch" : patch,
            new ByteArrayInputStream(read.orElseThrow()),
            named.getFirst());
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
