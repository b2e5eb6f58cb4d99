package dev.flyball.review.source;

import dev.flyball.review.patch.DiffLimits;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.Patch;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.patch.TextDecoder;
import dev.flyball.review.source.GitCommand.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The questions to {@code git} that a repository is read by. They are given ids, never names.
 *
 * <p>Long because each question to Git is a method with its own way to fail.
 */
final class GitReader implements AutoCloseable {
  private static final int MENTIONS_OF_A_FILE = 20;

  private static final int SIMILAR = 50;
  private static final Pattern VERSION = Pattern.compile("git version (\\d{1,4})\\.(\\d{1,4})");

  /** As many files as one command is asked about. */
  private static final int AT_ONCE = 200;

  /** 2.31, as thousands. */
  private static final int OLDEST = 2_031;

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
    checkVersion(bare);
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
    var top = Path.of(root.text());
    if (!isOwn(folder, top)) {
      throw new SourceUnavailable(
          SourceUnavailable.Reason.NOT_TRUSTED,
          "a repository is the folder that its .git is in, but that of %s says that it is %s; review its own folder"
              .formatted(folder, Revision.shown(root.text())));
    }
    return new GitReader(git.in(top));
  }

  /** An older Git does not read settings from its environment, and would run what is set up. */
  private static void checkVersion(GitCommand git) throws SourceUnavailable {
    var version = VERSION.matcher(git.need("version"));
    if (!version.lookingAt()
        || Integer.parseInt(version.group(1)) * 1000 + Integer.parseInt(version.group(2))
            < OLDEST) {
      throw new SourceUnavailable(
          SourceUnavailable.Reason.GIT_MISSING,
          "reviewing a range of commits needs Git 2.31 or newer, and this is %s; install a newer one, or review the folder or a patch"
              .formatted(Revision.shown(git.need("version"))));
    }
  }

  /**
   * Whether Git has found the repository by a {@code .git} on the way up. A tracked folder may look
   * like a repository inside, and bring settings of its own.
   */
  private static boolean isOwn(Path folder, Path top) {
    try {
      for (var each = folder.toRealPath(); each != null; each = each.getParent()) {
        if (Files.exists(each.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
          return each.equals(top.toRealPath());
        }
      }
      return false;
    } catch (IOException gone) {
      return false;
    }
  }

  private static SourceUnavailable noRepository(Path folder) {
    return new SourceUnavailable(
        SourceUnavailable.Reason.NOT_A_REPOSITORY,
        "%s is not in a Git repository; name a folder that is, or review the folder or a patch"
            .formatted(folder));
  }

  /** The folder that has all of it. */
  Path root() {
    return git.folder();
  }

  /** What a repository's filters would run is emptied one by one: there is no switch for all. */
  private static List<Setting> settings(GitCommand git) throws SourceUnavailable {
    var settings = new LinkedHashSet<Setting>();
    var fields =
        TextDecoder.of(git.askOfUser("config", "-z", "--show-scope", "--list").out())
            .split("\0", -1);
    for (int i = 0; i + 1 < fields.length; i += 2) {
      boolean own = fields[i].equals("local") || fields[i].equals("worktree");
      int end = fields[i + 1].indexOf('\n');
      var key = end < 0 ? fields[i + 1] : fields[i + 1].substring(0, end);
      if (!own && end >= 0 && PASSED_ON.contains(key.toLowerCase(Locale.ROOT))) {
        settings.add(new Setting(key, fields[i + 1].substring(end + 1)));
      } else if (key.startsWith("filter.") && key.lastIndexOf('.') > "filter.".length()) {
        var filter = key.substring(0, key.lastIndexOf('.'));
        settings.addAll(
            List.of(
                new Setting(filter + ".clean", ""),
                new Setting(filter + ".smudge", ""),
                new Setting(filter + ".process", ""),
                new Setting(filter + ".required", "false")));
      }
    }
    return List.copyOf(settings);
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
    diff(sides, limits, List.of(), List.of(), each);
  }

  /** Of these files, whatever Git takes them for. */
  void diffAsText(
      ChangeSides sides, DiffLimits limits, List<FileChange> files, Consumer<FileChange> each)
      throws SourceUnavailable {
    for (int from = 0; from < files.size(); from += AT_ONCE) {
      var some = files.subList(from, Math.min(files.size(), from + AT_ONCE));
      var wanted = some.stream().map(FileChange::path).collect(Collectors.toSet());
      var paths =
          some.stream()
              .flatMap(file -> Stream.concat(file.oldPath().stream(), file.newPath().stream()))
              .distinct()
              .toList();
      diff(
          sides,
          limits,
          List.of("--text"),
          paths,
          file -> {
            if (wanted.contains(file.path())) {
              each.accept(file);
            }
          });
    }
  }

  private void diff(
      ChangeSides sides,
      DiffLimits limits,
      List<String> flags,
      List<String> paths,
      Consumer<FileChange> each)
      throws SourceUnavailable {
    var arguments = new ArrayList<>(Arrays.asList(DIFF));
    arguments.addAll(flags);
    if (sides.now() instanceof TreeState.Index) {
      arguments.add("--cached");
    }
    arguments.add(tree(sides.old()));
    if (sides.now() instanceof TreeState.At(var commit)) {
      arguments.add(commit);
    }
    arguments.add("--");
    arguments.addAll(paths);
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
                "--format=tformat:%x01%H%x00%s%x00%b%x00",
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
    while (at + 2 < fields.length) {
      var id = fields[at].substring(1);
      var subject = fields[at + 1];
      var body = fields[at + 2].strip();
      var paths = new ArrayList<String>();
      for (at += 3; at < fields.length && !fields[at].startsWith("\1"); at++) {
        var path = fields[at].startsWith("\n") ? fields[at].substring(1) : fields[at];
        if (!path.isEmpty()) {
          paths.add(path);
        }
      }
      commits.add(new Commit(id, subject, body, paths));
    }
    return commits;
  }

  /** What a command lists, each with a zero after it. */
  List<String> list(String... command) throws SourceUnavailable {
    return Arrays.stream(TextDecoder.of(git.ask(command).out()).split("\0", -1))
        .filter(path -> !path.isEmpty())
        .toList();
  }

  /** The entries of a folder, by name. */
  List<String> names(String commit, String folder) throws SourceUnavailable {
    var listed = git.ask("ls-tree", "-z", "--name-only", "--full-tree", commit, "--", folder + "/");
    return Arrays.stream(TextDecoder.of(listed.out()).split("\0", -1))
        .filter(path -> !path.isEmpty())
        .map(path -> path.substring(path.lastIndexOf('/') + 1))
        .toList();
  }

  /**
   * The lines that have any of some words, in a commit, or in what is tracked; some of each file.
   *
   * @param where the id of a commit, or options that say otherwise
   */
  List<WordMention> grep(List<String> words, List<String> where) throws SourceUnavailable {
    var arguments =
        new ArrayList<>(
            List.of(
                "grep",
                "-n",
                "-z",
                "-I",
                "-w",
                "-F",
                "--no-color",
                "--no-textconv",
                "--no-recurse-submodules",
                "--full-name",
                "--max-count=" + MENTIONS_OF_A_FILE));
    words.forEach(word -> arguments.addAll(List.of("-e", word)));
    arguments.addAll(where);
    arguments.add("--");
    var found = git.ask(arguments.toArray(String[]::new));
    var mentions = new ArrayList<WordMention>();
    for (var line : TextDecoder.of(found.out()).split("\n", -1)) {
      var parts = line.split("\0", 3);
      if (parts.length == 3 && parts[1].matches("\\d{1,9}")) {
        int colon =
            where.size() == 1 && !where.getFirst().startsWith("-") ? parts[0].indexOf(':') : -1;
        mentions.add(
            new WordMention(parts[0].substring(colon + 1), Integer.parseInt(parts[1]), parts[2]));
      }
    }
    return mentions;
  }

  byte @Nullable [] blob(String commit, String path) throws SourceUnavailable {
    if (path.indexOf('\n') < 0) {
      return contents.of(commit + ":" + path, path);
    }
    var entry = entry(path, "ls-tree", "-z", "--full-tree", commit, "--", path);
    return entry.length == 3 && entry[1].equals("blob") ? contents.of(entry[2], path) : null;
  }

  boolean isRegular(String commit, String path) throws SourceUnavailable {
    return isRegular(entry(path, "ls-tree", "-z", "--full-tree", commit, "--", path));
  }

  byte @Nullable [] staged(String path) throws SourceUnavailable {
    var entry = entry(path, "ls-files", "-z", "--stage", "--", path);
    return entry.length == 3 && !entry[0].equals("160000") ? contents.of(entry[1], path) : null;
  }

  boolean isStagedRegular(String path) throws SourceUnavailable {
    return isRegular(entry(path, "ls-files", "-z", "--stage", "--", path));
  }

  private static boolean isRegular(String[] entry) {
    return entry.length == 3 && entry[0].startsWith("100");
  }

  /** The three words that stand before a path, the mode first; none if it is not there. */
  private String[] entry(String path, String... command) throws SourceUnavailable {
    var listed = TextDecoder.of(git.ask(command).out());
    int tab = listed.indexOf('\t');
    return tab >= 0 && listed.substring(tab + 1).equals(path + "\0")
        ? listed.substring(0, tab).split(" ", -1)
        : new String[0];
  }

  @Override
  public void close() {
    contents.close();
  }
}
