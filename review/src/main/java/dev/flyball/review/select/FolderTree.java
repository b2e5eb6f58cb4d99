package dev.flyball.review.select;

import dev.flyball.review.source.SourceUnavailable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.RepositoryBuilder;

/**
 * The files of a folder, or those of it that were named, in the order of their paths: those to be
 * reviewed, and those that are not and why. Where the folder is in a repository, paths begin at the
 * top of that, and what Git was told of is not ignored, whatever the patterns say. Links are not
 * followed.
 */
public final class FolderTree {
  /** What a file may have by default: a megabyte. */
  public static final long LARGEST = 1_000_000;

  static final String GIT_IGNORE = ".gitignore";
  static final String FLYBALL_IGNORE = ".flyballignore";

  private final Path top;
  private final boolean whole;
  private final List<TreeEntry> found;

  private FolderTree(Path top, boolean whole, List<TreeEntry> found) {
    this.top = top;
    this.whole = whole;
    this.found = List.copyOf(found);
  }

  /** Of a folder, with the usual limit for a file. */
  public static FolderTree of(Path folder) throws SourceUnavailable {
    return of(folder, LARGEST);
  }

  /** Of a folder, of which larger files are skipped. */
  public static FolderTree of(Path folder, long largest) throws SourceUnavailable {
    return of(List.of(folder), largest);
  }

  /** Of files and folders, all of one repository or, outside of any, below one folder. */
  public static FolderTree of(List<Path> named) throws SourceUnavailable {
    return of(named, LARGEST);
  }

  private static FolderTree of(List<Path> named, long largest) throws SourceUnavailable {
    var paths = new ArrayList<Path>();
    for (var path : named) {
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        throw refused("there is no file or folder " + path);
      }
      paths.add(path.toAbsolutePath().normalize());
    }
    var start = folder(paths.getFirst());
    for (var path : paths) {
      while (!path.startsWith(start)) {
        start = Objects.requireNonNull(start.getParent(), "all paths begin at the same root");
      }
    }
    var top = top(start);
    for (var path : paths) {
      var own = repository(folder(path));
      if (own.isPresent() && !own.get().equals(top)) {
        throw refused(
            "%s is in another repository than %s; review them one after the other"
                .formatted(path, named.getFirst()));
      }
    }
    var walk = new Walk(top, start, paths, largest);
    return new FolderTree(top, paths.contains(top), walk.all());
  }

  private static SourceUnavailable refused(String message) {
    return new SourceUnavailable(SourceUnavailable.Reason.FAILED, message);
  }

  /** A path itself, or what a file is in. */
  private static Path folder(Path path) {
    var parent = path.getParent();
    return Files.isDirectory(path) || parent == null ? path : parent;
  }

  /** Where the paths of a folder begin: the top of the repository that it is in, or itself. */
  public static Path top(Path folder) {
    var start = folder.toAbsolutePath().normalize();
    return repository(start).orElse(start);
  }

  private static Optional<Path> repository(Path folder) {
    for (var each = folder; each != null; each = each.getParent()) {
      if (Files.exists(each.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Whether there are no other files: then what none of them uses is not used. */
  public boolean isWhole() {
    return whole;
  }

  /** Everything, by path. */
  public List<TreeEntry> found() {
    return found;
  }

  public List<TreeEntry.Reviewed> reviewed() {
    return of(TreeEntry.Reviewed.class);
  }

  public List<TreeEntry.Skipped> skipped() {
    return of(TreeEntry.Skipped.class);
  }

  private <T extends TreeEntry> List<T> of(Class<T> type) {
    return found.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** Where paths begin: the top of the repository, or the folder itself. */
  public Path top() {
    return top;
  }

  /** A walk through a folder. */
  private static final class Walk {
    private final Path top;
    private final String start;
    private final List<String> named;
    private final SkipRules skipRules;
    private final Set<String> tracked = new HashSet<>();
    private final Set<String> trackedFolders = new HashSet<>();
    private final Set<String> submodules = new HashSet<>();
    private final List<TreeEntry> found = new ArrayList<>();

    /**
     * The patterns that hold in a folder, and what those above say of it.
     *
     * @param ignored whether Git ignores it, so that all of it is but what Git was told of
     */
    private record Rules(
        IgnorePatterns git, IgnorePatterns flyball, SkipRules.IgnoreState state, boolean ignored) {}

    /** A folder that is still to be gone through, and what holds in it. */
    private record OpenFolder(String path, Rules rules) {}

    private final Deque<OpenFolder> open = new ArrayDeque<>();

    Walk(Path top, Path start, List<Path> named, long largest) {
      this.skipRules = new SkipRules(largest);
      this.top = top;
      this.start = below(start);
      this.named = named.stream().map(this::below).toList();
    }

    private String below(Path path) {
      var below = top.relativize(path).toString().replace('\\', '/');
      return below.isEmpty() || !Files.isDirectory(path) ? below : below + "/";
    }

    /** Whether a path was named, is in a folder that was, or leads to what was. */
    private boolean isWanted(String path, boolean folder) {
      var whole = folder ? path + "/" : path;
      return named.stream()
          .anyMatch(
              each ->
                  (each.endsWith("/") || each.isEmpty())
                      ? whole.startsWith(each) || (folder && each.startsWith(whole))
                      : whole.equals(each) || (folder && each.startsWith(whole)));
    }

    List<TreeEntry> all() throws SourceUnavailable {
      var rules = new Rules(excluded(), IgnorePatterns.NONE, SkipRules.IgnoreState.NOTHING, false);
      for (int slash = start.indexOf('/'); slash >= 0; slash = start.indexOf('/', slash + 1)) {
        rules = within(start.substring(0, start.lastIndexOf('/', slash - 1) + 1), rules);
      }
      try {
        folder(start, rules);
      } catch (IOException failure) {
        throw SourceUnavailable.failed("reading " + top.resolve(start), failure);
      }
      // One after the other, because folders may be nested deeper than calls can be.
      while (!open.isEmpty()) {
        var next = open.pop();
        try {
          folder(next.path, next.rules);
        } catch (IOException | InvalidPathException unreadable) {
          skip(next.path, SkipReason.NOT_READABLE);
        }
      }
      found.sort(Comparator.comparing(TreeEntry::path));
      return found;
    }

    /** The patterns of the repository's own, and on the way the files that Git was told of. */
    private IgnorePatterns excluded() throws SourceUnavailable {
      if (!Files.exists(top.resolve(".git"))) {
        return IgnorePatterns.NONE;
      }
      IsolatedSystemReader.install();
      try (var git = new RepositoryBuilder().findGitDir(top.toFile()).setMustExist(true).build()) {
        var index = DirCache.read(git);
        for (int i = 0; i < index.getEntryCount(); i++) {
          var path = index.getEntry(i).getPathString();
          (index.getEntry(i).getFileMode().equals(FileMode.GITLINK) ? submodules : tracked)
              .add(path);
          for (int slash = path.lastIndexOf('/');
              slash > 0 && trackedFolders.add(path.substring(0, slash));
              slash = path.lastIndexOf('/', slash - 1)) {}
        }
        var own = git.getCommonDirectory().toPath().resolve("info/exclude");
        return Files.isRegularFile(own)
            ? IgnorePatterns.NONE.with("", Files.readAllBytes(own))
            : IgnorePatterns.NONE;
      } catch (IOException | IllegalArgumentException noRepository) {
        return IgnorePatterns.NONE;
      }
    }

    private Rules within(String folder, Rules rules) {
      return new Rules(
          with(rules.git, folder, GIT_IGNORE),
          with(rules.flyball, folder, FLYBALL_IGNORE),
          rules.state,
          rules.ignored);
    }

    private IgnorePatterns with(IgnorePatterns ignores, String folder, String name) {
      var file = top.resolve(folder + name);
      try {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            ? ignores.with(folder, Files.readAllBytes(file))
            : ignores;
      } catch (IOException unreadable) {
        return ignores;
      }
    }

    private void folder(String folder, Rules above) throws IOException {
      var rules = within(folder, above);
      try (var entries = Files.newDirectoryStream(top.resolve(folder))) {
        for (var entry : entries) {
          var name = String.valueOf(entry.getFileName());
          if (!name.equals(".git")) {
            entry(entry, folder + name, rules);
          }
        }
      } catch (DirectoryIteratorException failure) {
        throw failure.getCause();
      }
    }

    private void entry(Path entry, String path, Rules rules) {
      BasicFileAttributes what;
      try {
        what = Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      } catch (IOException gone) {
        skip(path, SkipReason.NOT_READABLE);
        return;
      }
      if (!isWanted(path, what.isDirectory())) {
        return;
      }
      if (what.isDirectory()) {
        subfolder(entry, path, rules);
      } else {
        file(entry, path, what, rules)
            .ifPresentOrElse(
                why -> skip(path, why), () -> found.add(new TreeEntry.Reviewed(path, what.size())));
      }
    }

    private void subfolder(Path entry, String path, Rules rules) {
      boolean ignored = rules.ignored || rules.git.of(path, true) == IgnorePatterns.Verdict.IGNORED;
      var state = rules.state.below(rules.flyball.of(path, true));
      boolean submodule =
          submodules.contains(path)
              || Files.exists(entry.resolve(".git"), LinkOption.NOFOLLOW_LINKS);
      var why =
          skipRules.ofFolder(
              new SkipRules.Facts(
                  path.substring(start.length()),
                  submodule ? SkipRules.Kind.SUBMODULE : SkipRules.Kind.TEXT,
                  state,
                  ignored && !trackedFolders.contains(path)));
      if (why.isPresent()) {
        skip(path + "/", why.get());
        return;
      }
      open.push(new OpenFolder(path + "/", new Rules(rules.git, rules.flyball, state, ignored)));
    }

    private Optional<SkipReason> file(
        Path entry, String path, BasicFileAttributes what, Rules rules) {
      boolean ignored =
          !tracked.contains(path)
              && (rules.ignored || rules.git.of(path, false) == IgnorePatterns.Verdict.IGNORED);
      try {
        return skipRules.of(
            new SkipRules.Facts(
                path.substring(start.length()),
                kind(what),
                rules.state.below(rules.flyball.of(path, false)),
                ignored),
            new FileOnDisk(entry, what.size()));
      } catch (IOException unreadable) {
        return Optional.of(SkipReason.NOT_READABLE);
      }
    }

    private static SkipRules.Kind kind(BasicFileAttributes what) {
      if (what.isSymbolicLink()) {
        return SkipRules.Kind.SYMLINK;
      }
      return what.isRegularFile() ? SkipRules.Kind.TEXT : SkipRules.Kind.OTHER;
    }

    private void skip(String path, SkipReason why) {
      found.add(new TreeEntry.Skipped(path, why));
    }
  }

  /** The content of a file that was found. */
  private record FileOnDisk(Path file, long size) implements SkipRules.Content<IOException> {
    @Override
    public byte[] head() throws IOException {
      try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
        return in.readNBytes(FileClassifier.HEAD);
      }
    }
  }
}
