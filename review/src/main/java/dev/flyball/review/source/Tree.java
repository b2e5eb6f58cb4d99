package dev.flyball.review.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.RepositoryBuilder;

/**
 * What a folder has, in the order of its paths: what is to be reviewed, and what is not and why.
 * Where the folder is in a repository, paths begin at the top of that, and what Git was told of is
 * not ignored, whatever the patterns say. Links are not followed.
 */
public final class Tree {
  /** What a file may have by default: a megabyte. */
  public static final long LARGEST = 1_000_000;

  static final String GIT_IGNORE = ".gitignore";
  static final String FLYBALL_IGNORE = ".flyballignore";

  private final Path top;
  private final List<Found> found;

  private Tree(Path top, List<Found> found) {
    this.top = top;
    this.found = List.copyOf(found);
  }

  /** Of a folder, with the usual limit for a file. */
  public static Tree of(Path folder) throws SourceUnavailable {
    return of(folder, LARGEST);
  }

  /** Of a folder, of which larger files are skipped. */
  public static Tree of(Path folder, long largest) throws SourceUnavailable {
    if (!Files.isDirectory(folder)) {
      throw new SourceUnavailable(
          SourceUnavailable.Reason.FAILED,
          "what is reviewed is a folder, but %s is none".formatted(folder));
    }
    var walk = new Walk(folder.toAbsolutePath().normalize(), largest);
    return new Tree(walk.top, walk.all());
  }

  /** Where the paths of a folder begin: the top of the repository that it is in, or itself. */
  public static Path top(Path folder) {
    var start = folder.toAbsolutePath().normalize();
    for (var each = start; each != null; each = each.getParent()) {
      if (Files.exists(each.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
        return each;
      }
    }
    return start;
  }

  /** Everything, by path. */
  public List<Found> found() {
    return found;
  }

  public List<Found.Reviewed> reviewed() {
    return of(Found.Reviewed.class);
  }

  public List<Found.Skipped> skipped() {
    return of(Found.Skipped.class);
  }

  private <T extends Found> List<T> of(Class<T> type) {
    return found.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** Where paths begin: the top of the repository, or the folder itself. */
  public Path top() {
    return top;
  }

  /** Where a path of this tree is. */
  public Path locate(String path) {
    return top.resolve(path);
  }

  /** One way through a folder. */
  private static final class Walk {
    private final Path top;
    private final String start;
    private final long largest;
    private final Set<String> tracked = new HashSet<>();
    private final Set<String> trackedFolders = new HashSet<>();
    private final Set<String> submodules = new HashSet<>();
    private final List<Found> found = new ArrayList<>();
    private final byte[] head = new byte[Looks.HEAD];

    /**
     * Which patterns hold in a folder, whether it is wanted though it looks vendored, and whether
     * it is itself ignored, so that all of it is but what Git was told of.
     */
    private record Rules(Ignores git, Ignores flyball, boolean wanted, boolean ignored) {}

    Walk(Path folder, long largest) {
      this.largest = largest;
      this.top = top(folder);
      var below = top.relativize(folder).toString().replace('\\', '/');
      this.start = below.isEmpty() ? "" : below + "/";
    }

    List<Found> all() throws SourceUnavailable {
      var rules = new Rules(excluded(), Ignores.NONE, false, false);
      for (int slash = start.indexOf('/'); slash >= 0; slash = start.indexOf('/', slash + 1)) {
        rules = within(start.substring(0, start.lastIndexOf('/', slash - 1) + 1), rules);
      }
      try {
        folder(start, rules);
      } catch (IOException failure) {
        throw Repository.failed("reading " + top.resolve(start), failure);
      }
      found.sort(Comparator.comparing(Found::path));
      return found;
    }

    /** The patterns of the repository's own, and on the way the files that Git was told of. */
    private Ignores excluded() throws SourceUnavailable {
      if (!Files.exists(top.resolve(".git"))) {
        return Ignores.NONE;
      }
      Settings.ofNobody();
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
            ? Ignores.NONE.with("", Files.readAllBytes(own))
            : Ignores.NONE;
      } catch (IOException | IllegalArgumentException noRepository) {
        return Ignores.NONE;
      }
    }

    private Rules within(String folder, Rules rules) {
      return new Rules(
          with(rules.git, folder, GIT_IGNORE),
          with(rules.flyball, folder, FLYBALL_IGNORE),
          rules.wanted,
          rules.ignored);
    }

    private Ignores with(Ignores ignores, String folder, String name) {
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
        skip(path, Skip.NOT_READABLE);
        return;
      }
      if (what.isDirectory()) {
        subfolder(entry, path, rules);
      } else {
        file(entry, path, what, rules)
            .ifPresentOrElse(
                why -> skip(path, why),
                () -> found.add(new Found.Reviewed(path, what.size(), written(what))));
      }
    }

    private static long written(BasicFileAttributes what) {
      return what.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    }

    private void subfolder(Path entry, String path, Rules rules) {
      var verdict = rules.flyball.of(path, true);
      boolean wanted = rules.wanted || verdict == Ignores.Verdict.WANTED;
      boolean ignored = rules.ignored || rules.git.of(path, true) == Ignores.Verdict.IGNORED;
      if (verdict == Ignores.Verdict.IGNORED) {
        skip(path + "/", Skip.FLYBALL_IGNORED);
      } else if (submodules.contains(path)
          || Files.exists(entry.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
        skip(path + "/", Skip.SUBMODULE);
      } else if (ignored && !trackedFolders.contains(path)) {
        skip(path + "/", Skip.GIT_IGNORED);
      } else if (!wanted && Looks.isVendored(path.substring(start.length()))) {
        skip(path + "/", Skip.VENDORED);
      } else {
        try {
          folder(path + "/", new Rules(rules.git, rules.flyball, wanted, ignored));
        } catch (IOException unreadable) {
          skip(path + "/", Skip.NOT_READABLE);
        }
      }
    }

    private Optional<Skip> file(Path entry, String path, BasicFileAttributes what, Rules rules) {
      var verdict = rules.flyball.of(path, false);
      if (verdict == Ignores.Verdict.IGNORED) {
        return Optional.of(Skip.FLYBALL_IGNORED);
      }
      if (!tracked.contains(path)
          && (rules.ignored || rules.git.of(path, false) == Ignores.Verdict.IGNORED)) {
        return Optional.of(Skip.GIT_IGNORED);
      }
      if (what.isSymbolicLink()) {
        return Optional.of(Skip.SYMLINK);
      }
      if (!what.isRegularFile()) {
        return Optional.of(Skip.NOT_READABLE);
      }
      boolean wanted = verdict == Ignores.Verdict.WANTED;
      var name = Looks.ofName(path);
      if (name.isPresent() && (!wanted || name.get() == Skip.SECRET)) {
        return name;
      }
      if (what.size() > largest) {
        return Optional.of(Skip.OVERSIZED);
      }
      return content(entry)
          .filter(why -> !wanted || (why != Skip.GENERATED && why != Skip.MINIFIED));
    }

    private Optional<Skip> content(Path entry) {
      try (InputStream in = Files.newInputStream(entry, LinkOption.NOFOLLOW_LINKS)) {
        return Looks.ofHead(head, in.readNBytes(head, 0, head.length));
      } catch (IOException unreadable) {
        return Optional.of(Skip.NOT_READABLE);
      }
    }

    private void skip(String path, Skip why) {
      found.add(new Found.Skipped(path, why));
    }
  }
}
