package dev.flyball.review.source;

import dev.flyball.review.patch.DiffLimits;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.Patch;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.patch.TextDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The questions to {@code git} that a repository is read by. They are given ids, never names. */
final class GitReader implements AutoCloseable {
  private static final int SIMILAR = 50;

  /** The settings of a user without which a file's content would seem other than it is. */
  private static final Set<String> PASSED_ON =
      Set.of("core.autocrlf", "core.eol", "safe.directory");

  private static final String[] DIFF = {
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--full-index",
    "--diff-algorithm=myers",
    "--indent-heuristic",
    "--unified=3",
    "--inter-hunk-context=0",
    "--submodule=short",
    "--ignore-submodules=dirty",
    "--find-renames=" + SIMILAR + "%",
    "--patch"
  };

  private final GitCommand git;
  private final CatFile contents;

  private GitReader(GitCommand git) {
    this.git = git;
    this.contents = new CatFile(git);
  }

  static GitReader at(Path program, Path folder, Duration patience) throws SourceUnavailable {
    if (!Files.isDirectory(folder)) {
      throw noRepository(folder);
    }
    var bare = new GitCommand(program, folder.toAbsolutePath(), List.of(), patience);
    var git = bare.with(settings(bare));
    var root = git.ask("rev-parse", "--show-toplevel");
    if (root.exit() != 0) {
      if (root.remarks().contains("dubious ownership") || root.remarks().contains("unsafe repo")) {
        throw new SourceUnavailable(
            SourceUnavailable.Reason.NOT_TRUSTED,
            "Git reads repositories of others only if told to, and %s is somebody else's; run git config --global --add safe.directory with its path"
                .formatted(folder));
      }
      throw noRepository(folder);
    }
    return new GitReader(git.in(Path.of(root.text())));
  }

  private static SourceUnavailable noRepository(Path folder) {
    return new SourceUnavailable(
        SourceUnavailable.Reason.NOT_A_REPOSITORY,
        "a range is of a Git repository, but %s is in none; name a folder that is, or review the folder or a patch"
            .formatted(folder));
  }

  /** The folder that has all of it. */
  Path root() {
    return git.folder();
  }

  /** What a repository's filters would run is emptied one by one: there is no switch for all. */
  private static List<String> settings(GitCommand git) throws SourceUnavailable {
    var settings = new LinkedHashSet<String>();
    for (var entry :
        TextDecoder.of(git.askOfUser("config", "-z", "--list").out()).split("\0", -1)) {
      int end = entry.indexOf('\n');
      var key = end < 0 ? entry : entry.substring(0, end);
      if (PASSED_ON.contains(key.toLowerCase(Locale.ROOT)) && end >= 0) {
        settings.add(key + "=" + entry.substring(end + 1));
      } else if (key.startsWith("filter.") && key.lastIndexOf('.') > "filter.".length()) {
        var filter = key.substring(0, key.lastIndexOf('.'));
        settings.addAll(
            List.of(
                filter + ".clean=",
                filter + ".smudge=",
                filter + ".process=",
                filter + ".required=false"));
      }
    }
    var arguments = new ArrayList<String>();
    settings.forEach(setting -> arguments.addAll(List.of("-c", setting)));
    return arguments;
  }

  /** Whether commits before some are missing here. */
  boolean isShallow() throws SourceUnavailable {
    return git.need("rev-parse", "--is-shallow-repository").equals("true");
  }

  boolean isShallowAt(String commit) throws SourceUnavailable {
    return isShallow() && git.need("cat-file", "commit", commit).contains("\nparent ");
  }

  void diff(ChangeSides sides, DiffLimits limits, Consumer<FileChange> each)
      throws SourceUnavailable {
    var arguments = new ArrayList<>(Arrays.asList(DIFF));
    if (sides.now() instanceof TreeState.Index) {
      arguments.add("--cached");
    }
    arguments.add(tree(sides.old()));
    if (sides.now() instanceof TreeState.At(var commit)) {
      arguments.add(commit);
    }
    arguments.add("--");
    try {
      git.read(
          out -> {
            var patch = Patch.open(out, limits);
            for (var file = patch.next(); file.isPresent(); file = patch.next()) {
              each.accept(file.get());
            }
            return true;
          },
          arguments.toArray(String[]::new));
    } catch (PatchRefused refused) {
      throw SourceUnavailable.failed("reading what git diff says", refused);
    }
  }

  private String tree(TreeState state) throws SourceUnavailable {
    return switch (state) {
      case TreeState.At(var commit) -> commit;
      case TreeState.Nothing nothing -> git.need("hash-object", "-t", "tree", "--stdin");
      case TreeState.Index index -> throw new IllegalArgumentException("the index is no old side");
      case TreeState.Disk disk -> throw new IllegalArgumentException("the disk is no old side");
    };
  }

  @Nullable String find(String revision) throws SourceUnavailable {
    var answer = git.ask("rev-parse", "--verify", "--quiet", revision + "^{commit}");
    return answer.exit() == 0 && answer.text().matches("[0-9a-f]{40,64}") ? answer.text() : null;
  }

  @Nullable String fork(String one, String other) throws SourceUnavailable {
    var answer = git.ask("merge-base", one, other);
    return answer.exit() == 0 ? answer.text() : null;
  }

  List<String> parents(String commit) throws SourceUnavailable {
    var ids = git.need("rev-list", "--max-count=1", "--parents", commit).split(" ", -1);
    return List.of(ids).subList(1, ids.length);
  }

  /** Of one commit and what it comes from, without those of another. */
  List<Commit> log(@Nullable String without, String of) throws SourceUnavailable {
    var arguments =
        new ArrayList<>(
            List.of(
                "log",
                "-z",
                "--topo-order",
                "--reverse",
                "--no-color",
                "--no-ext-diff",
                "--no-textconv",
                "--no-show-signature",
                "--no-notes",
                "--root",
                "--no-relative",
                "--diff-merges=off",
                "--name-only",
                "--find-renames=" + SIMILAR + "%",
                "--format=tformat:%x01%H%x00%s%x00",
                of));
    if (without != null) {
      arguments.add("^" + without);
    }
    arguments.add("--");
    var answer = git.ask(arguments.toArray(String[]::new));
    if (answer.exit() != 0) {
      throw new SourceUnavailable(
          SourceUnavailable.Reason.FAILED,
          "git log failed in %s: %s".formatted(root(), answer.remarks()));
    }
    return commits(TextDecoder.of(answer.out()).split("\0", -1));
  }

  private static List<Commit> commits(String[] fields) {
    var commits = new ArrayList<Commit>();
    int at = 0;
    while (at + 1 < fields.length) {
      var id = fields[at].substring(1);
      var subject = fields[at + 1];
      var paths = new ArrayList<String>();
      for (at += 2; at < fields.length && !fields[at].startsWith("\1"); at++) {
        var path = fields[at].startsWith("\n") ? fields[at].substring(1) : fields[at];
        if (!path.isEmpty()) {
          paths.add(path);
        }
      }
      commits.add(new Commit(id, subject, paths));
    }
    return commits;
  }

  /** The entries of a folder, by name. */
  List<String> names(String commit, String folder) throws SourceUnavailable {
    var listed = git.ask("ls-tree", "-z", "--name-only", "--full-tree", commit, "--", folder + "/");
    return Arrays.stream(TextDecoder.of(listed.out()).split("\0", -1))
        .filter(path -> !path.isEmpty())
        .map(path -> path.substring(path.lastIndexOf('/') + 1))
        .toList();
  }

  byte @Nullable [] blob(String commit, String path) throws SourceUnavailable {
    if (path.indexOf('\n') < 0) {
      return contents.of(commit + ":" + path, path);
    }
    var entry = git.ask("ls-tree", "-z", "--full-tree", commit, "--", path).text();
    int tab = entry.indexOf('\t');
    var words = tab < 0 ? new String[0] : entry.substring(0, tab).split(" ", -1);
    return words.length == 3 && words[1].equals("blob") ? contents.of(words[2], path) : null;
  }

  byte @Nullable [] staged(String path) throws SourceUnavailable {
    var entry = git.ask("ls-files", "-z", "--stage", "--", path).text();
    int tab = entry.indexOf('\t');
    var words = tab < 0 ? new String[0] : entry.substring(0, tab).split(" ", -1);
    return words.length == 3
            && !words[0].equals("160000")
            && entry.substring(tab + 1).replace("\0", "").equals(path)
        ? contents.of(words[1], path)
        : null;
  }

  @Override
  public void close() {
    contents.close();
  }
}
