package dev.flyball.cli;

import dev.flyball.cli.option.SubjectOptions;
import dev.flyball.review.source.ChangeRange;
import dev.flyball.review.source.Repository;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.ProjectFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParameterException;

/**
 * The configuration of a command that is about a change: {@code flyball.yaml} as it was before the
 * change, because a change must not configure its own review.
 */
final class ConfigBeforeChange {
  private static final List<String> COMMANDS = List.of("review", "estimate");
  private static final List<String> CHANGES = List.of("--diff", "--staged", "--worktree");

  private ConfigBeforeChange() {}

  /** Empty if the command is about something else, or if it will be refused anyway. */
  static Optional<Configuration> of(Map<String, String> environment, Path folder, String... args)
      throws IOException {
    if (args.length == 0
        || !COMMANDS.contains(args[0])
        || Arrays.stream(args).noneMatch(ConfigBeforeChange::isChange)) {
      return Optional.empty();
    }
    try {
      var parsed = Main.command(Configuration.none()).parseArgs(args).subcommand();
      if (parsed == null || !(parsed.commandSpec().userObject() instanceof Reviewing command)) {
        return Optional.empty();
      }
      var range = command.which().range();
      return range.isEmpty()
          ? Optional.empty()
          : before(environment, folder, command.path(), range.get());
    } catch (ParameterException | SourceUnavailable refused) {
      return Optional.empty();
    }
  }

  private static boolean isChange(String word) {
    return CHANGES.stream().anyMatch(name -> word.equals(name) || word.startsWith(name + "="));
  }

  private static Optional<Configuration> before(
      Map<String, String> environment, Path folder, String path, ChangeRange range)
      throws SourceUnavailable, IOException {
    try (var repository = Repository.open(folder.resolve(path))) {
      var here = folder.toRealPath();
      var root = repository.root().toRealPath();
      if (!here.startsWith(root)) {
        return Optional.empty();
      }
      var file = root.relativize(here.resolve(ProjectFile.NAME)).toString().replace('\\', '/');
      var content = repository.content(repository.sides(range).old(), file);
      return Optional.of(Configuration.of(environment, folder, content));
    }
  }

  /** A command that can be about a change. */
  interface Reviewing {
    SubjectOptions which();

    /** The folder whose repository is meant. */
    String path();
  }
}
