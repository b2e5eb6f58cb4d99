package dev.flyball.cli.config;

import dev.flyball.cli.option.PullOptions;
import dev.flyball.cli.option.SubjectOptions;
import dev.flyball.cli.review.PullReading;
import dev.flyball.publish.HostTrouble;
import dev.flyball.publish.PullRequests;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.select.Subject;
import dev.flyball.review.select.TreeEntry;
import dev.flyball.review.source.ChangeRange;
import dev.flyball.review.source.ChangeSides;
import dev.flyball.review.source.Repository;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.config.ConfigFile;
import dev.flyball.run.config.ConfigRefused;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The project's file that is in force for a command line. A change must not configure its own
 * review, so for a command that is about one it is {@code flyball.yaml} as it was before the
 * change.
 *
 * <p>What a command is about is known only when its words are parsed, and a project's file takes
 * part in that. So they are parsed twice: first with what the user says alone, to ask the command;
 * then for good. A project cannot make a command be about a change, or about another one, because
 * the options that say so are the user's.
 *
 * <p>Where the state before cannot be found out, the command ends: neither the file of the change
 * nor none at all would be the project's word.
 */
public final class ConfigBeforeChange {
  /** A command that can be about a change. */
  public interface Reviewing {
    SubjectOptions which();

    /** The folder whose repository is meant. */
    String path();

    /** The pull request that is meant, if it can be one. */
    default Optional<PullOptions> pulls() {
      return Optional.empty();
    }
  }

  private static final String EDITED =
      "this change edits " + ConfigFile.PROJECT + ": the version before it is used";

  private final Configuration user;
  private final Reviewing command;
  private final Consumer<String> remarks;

  private ConfigBeforeChange(Configuration user, Reviewing command, Consumer<String> remarks) {
    this.user = user;
    this.command = command;
    this.remarks = remarks;
  }

  /**
   * With the file that counts.
   *
   * @param main the commands, as the user alone configures them
   * @param remarks is told that a change edits the file
   */
  public static Configuration of(
      Configuration user, CommandLine main, Consumer<String> remarks, String... args)
      throws ConfigRefused {
    try {
      var parsed = main.parseArgs(args);
      while (parsed.subcommand() != null) {
        parsed = parsed.subcommand();
      }
      if (parsed.commandSpec().userObject() instanceof Reviewing command
          && command.pulls().filter(PullOptions::isNamed).isPresent()
          && !parsed.isUsageHelpRequested()) {
        return pulled(user, command.pulls().get());
      }
      if (!(parsed.commandSpec().userObject() instanceof Reviewing command)
          || !command.which().isChange()
          || parsed.isUsageHelpRequested()) {
        return user.with(ConfigFile.project(user.folder()), Optional.empty());
      }
      return new ConfigBeforeChange(user, command, remarks).configuration();
    } catch (ParameterException wrong) {
      // Parsed for good, it will be refused for the same reason.
      return user;
    }
  }

  /** Nothing in the folder counts, which may be a checkout of the change itself. */
  private static Configuration pulled(Configuration user, PullOptions pulls) throws ConfigRefused {
    pulls.check(false);
    var name = pulls.name();
    var place = pulls.place(user.environment());
    try (var door = PullRequests.at(place, user.environment())) {
      var pull = door.read(name);
      return user.with(file(door.before(pull, ConfigFile.PROJECT)), new PullReading.Read(pull));
    } catch (HostTrouble trouble) {
      return user.with(ConfigFile.empty(ConfigFile.PROJECT), new PullReading.Failed(trouble));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ConfigRefused("interrupted while reading " + name);
    }
  }

  private Configuration configuration() throws ConfigRefused {
    var named = user.folder().resolve(command.path());
    // A file is refused later, by the command itself and in its words.
    var folder = Files.isRegularFile(named) ? named.resolveSibling("") : named;
    try {
      var range = command.which().range();
      if (range.isPresent()) {
        return user.with(before(folder, range.get()), Optional.empty());
      }
      var patch = command.which().patch(folder);
      return user.with(before(folder, patch.orElseThrow()), patch);
    } catch (SourceUnavailable | PatchRefused unknown) {
      throw new ConfigRefused(String.valueOf(unknown.getMessage()));
    } catch (IOException unreadable) {
      throw new ConfigRefused("there is no file that can be read: " + unreadable.getMessage());
    }
  }

  private ConfigFile before(Path folder, ChangeRange range)
      throws SourceUnavailable, IOException, ConfigRefused {
    try (var repository = Repository.open(folder)) {
      var here = user.folder().toRealPath();
      var root = repository.root().toRealPath();
      if (!here.startsWith(root)) {
        return ConfigFile.project(user.folder());
      }
      var path = path(root, here);
      var sides = repository.sides(range);
      var old = repository.content(sides.old(), path);
      if (isEdited(repository, sides, path, old)) {
        remarks.accept(EDITED);
      }
      return file(old);
    }
  }

  private static boolean isEdited(
      Repository repository, ChangeSides sides, String path, Optional<byte[]> old) {
    try {
      var now = repository.content(sides.now(), path);
      return !Arrays.equals(old.orElse(new byte[0]), now.orElse(new byte[0]));
    } catch (SourceUnavailable unreadable) {
      // Too large, for example: what it is now does not count anyway.
      return true;
    }
  }

  /** A patch may be applied in the folder already, or not yet, or not fit it at all. */
  private ConfigFile before(Path folder, byte[] patch)
      throws SourceUnavailable, IOException, PatchRefused, ConfigRefused {
    try (var subject = Subject.patch("patch", new ByteArrayInputStream(patch), folder)) {
      var here = user.folder().toRealPath();
      var root = folder.toRealPath();
      var touched = touched(subject, here.resolve(ConfigFile.PROJECT));
      if (touched.isEmpty()) {
        return file(ConfigFile.content(here));
      }
      if (!here.startsWith(root) || !touched.equals(Set.of(path(root, here)))) {
        throw new ConfigRefused(
            "the patch changes %s, which may be the file here; run this where its paths begin, or review the change with --diff"
                .formatted(touched));
      }
      remarks.accept(EDITED);
      return file(before(subject, path(root, here)));
    }
  }

  private static Optional<byte[]> before(Subject subject, String path)
      throws SourceUnavailable, ConfigRefused {
    var before = subject.before(path);
    boolean wasThere =
        subject.items().stream()
            .flatMap(item -> item.change().stream())
            .anyMatch(each -> each.oldPath().equals(Optional.of(path)));
    if (before.isEmpty() && wasThere) {
      throw new ConfigRefused(
          "what %s was before the patch cannot be told from here; take the patch back first, or review the change with --diff"
              .formatted(path));
    }
    return before.map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  /** The paths in a patch that may mean a file, wherever they begin. */
  private static Set<String> touched(Subject subject, Path file) {
    var whole = file.toString().replace('\\', '/');
    return Stream.concat(
            subject.items().stream()
                .flatMap(item -> item.change().stream())
                .flatMap(each -> Stream.concat(each.oldPath().stream(), each.newPath().stream())),
            subject.skipped().stream().map(TreeEntry.Skipped::path))
        .filter(path -> whole.endsWith("/" + path))
        .collect(Collectors.toSet());
  }

  private static String path(Path root, Path here) {
    return root.relativize(here.resolve(ConfigFile.PROJECT)).toString().replace('\\', '/');
  }

  private static ConfigFile file(Optional<byte[]> content) throws ConfigRefused {
    return content.isEmpty()
        ? ConfigFile.empty(ConfigFile.PROJECT)
        : ConfigFile.of(ConfigFile.PROJECT, content.get());
  }
}
