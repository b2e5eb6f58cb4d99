package dev.flyball.review.select;

import dev.flyball.review.patch.DiffLimits;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.Patch;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.patch.TextDecoder;
import dev.flyball.review.source.ChangeRange;
import dev.flyball.review.source.Commit;
import dev.flyball.review.source.FileContents;
import dev.flyball.review.source.PatchedFiles;
import dev.flyball.review.source.Repository;
import dev.flyball.review.source.Revision;
import dev.flyball.review.source.SourceUnavailable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The thing to be reviewed: a folder as it is, or a change, with the files that are left out and
 * why.
 *
 * <p>Of a change, everything that says how it is to be reviewed is read from the state that it
 * starts from: a change cannot configure its own review. Of a patch that is the folder that it is
 * for.
 */
public final class Subject implements AutoCloseable {
  /**
   * A file that is to be reviewed.
   *
   * @param change what happened to it, if the subject is a change
   */
  public record Item(String path, Optional<FileChange> change) {
    /** Whether there is anything to read of it now. */
    public boolean gone() {
      return change.map(it -> it.newPath().isEmpty()).orElse(false);
    }
  }

  private final String title;
  private final Path root;
  private final boolean isChange;
  private final List<Item> items;
  private final List<TreeEntry.Skipped> skipped;
  private final List<Commit> commits;
  private final FileContents now;
  private final FileContents base;
  private final Names names;
  private final Optional<Repository> repository;

  /** The names in a folder before a change. */
  @FunctionalInterface
  private interface Names {
    List<String> of(String folder) throws SourceUnavailable;
  }

  private Subject(
      String title,
      Path root,
      boolean isChange,
      List<Item> items,
      List<TreeEntry.Skipped> skipped,
      List<Commit> commits,
      FileContents now,
      FileContents base,
      Names names,
      Optional<Repository> repository) {
    this.title = title;
    this.root = root;
    this.isChange = isChange;
    this.items = List.copyOf(items);
    this.skipped = List.copyOf(skipped);
    this.commits = List.copyOf(commits);
    this.now = now;
    this.base = base;
    this.names = names;
    this.repository = repository;
  }

  /** All of a folder. */
  public static Subject folder(Path folder) throws SourceUnavailable {
    var tree = FolderTree.of(folder);
    return new Subject(
        folder.toString().isEmpty() ? "." : folder.toString(),
        tree.top(),
        false,
        tree.reviewed().stream().map(file -> new Item(file.path(), Optional.empty())).toList(),
        tree.skipped(),
        List.of(),
        path -> onDisk(tree.top(), path),
        path -> onDisk(tree.top(), path),
        below -> namesOnDisk(tree.top(), below),
        Optional.empty());
  }

  /** A change of the repository that a folder is in. */
  public static Subject range(Path folder, ChangeRange range) throws SourceUnavailable {
    var repository = Repository.open(folder);
    try {
      var sides = repository.sides(range);
      var files = new ArrayList<FileChange>();
      repository.diff(sides, DiffLimits.USUAL, files::add);
      var sorted = Sorted.of(files, ChangeFilter.of(repository, sides, FolderTree.LARGEST));
      return new Subject(
          title(range),
          repository.root(),
          true,
          sorted.items,
          sorted.skipped,
          repository.commits(range),
          path -> repository.content(sides.now(), path),
          path -> repository.content(sides.old(), path),
          below -> repository.names(sides.old(), below),
          Optional.of(repository));
    } catch (SourceUnavailable | RuntimeException failure) {
      repository.close();
      throw failure;
    }
  }

  /**
   * A change that came as a patch.
   *
   * @param folder what it is for; where a file there is as the patch says, all of it can be read
   */
  public static Subject patch(String title, InputStream patch, Path folder)
      throws SourceUnavailable, IOException, PatchRefused {
    var change = Patch.read(patch);
    var root = folder.toAbsolutePath().normalize();
    FileContents base = path -> onDisk(root, path);
    var sorted = Sorted.of(change.files(), ChangeFilter.ofPatch(base));
    return new Subject(
        title,
        root,
        true,
        sorted.items,
        sorted.skipped,
        List.of(),
        PatchedFiles.of(change, base),
        base,
        below -> namesOnDisk(root, below),
        Optional.empty());
  }

  private static String title(ChangeRange range) {
    return switch (range) {
      case ChangeRange.Between(var from, var to) -> from + ".." + to;
      case ChangeRange.SinceFork(var from, var to) -> from + "..." + to;
      case ChangeRange.Single(var revision) -> revision;
      case ChangeRange.Staged staged -> "staged";
      case ChangeRange.Worktree worktree -> "worktree";
    };
  }

  /** How the user named it. */
  public String title() {
    return title;
  }

  /** Where paths begin. */
  public Path root() {
    return root;
  }

  public boolean isChange() {
    return isChange;
  }

  /** What is reviewed, by path. */
  public List<Item> items() {
    return items;
  }

  /** What is left out. */
  public List<TreeEntry.Skipped> skipped() {
    return skipped;
  }

  /** Of a change that has some, the oldest first. */
  public List<Commit> commits() {
    return commits;
  }

  /** What a file says now; empty if that is not known, or if there is none. */
  public Optional<String> text(String path) throws SourceUnavailable {
    return now.of(path).map(TextDecoder::of);
  }

  /** The bytes of the same. */
  public Optional<byte[]> bytes(String path) throws SourceUnavailable {
    return now.of(path);
  }

  /** What a file said before: of a change the state that it starts from, else what is there. */
  public Optional<String> before(String path) throws SourceUnavailable {
    return base.of(path).map(TextDecoder::of);
  }

  /** What a folder had before, by name. */
  public List<String> namesBefore(String folder) throws SourceUnavailable {
    return names.of(folder);
  }

  @Override
  public void close() {
    repository.ifPresent(Repository::close);
  }

  private static Optional<byte[]> onDisk(Path root, String path) throws SourceUnavailable {
    var file = root.resolve(path).normalize();
    try {
      if (!file.startsWith(root)
          || isBehindLink(root, file)
          || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.empty();
      }
      FileContents.checkSize(path, Files.size(file));
      return Optional.of(Files.readAllBytes(file));
    } catch (IOException failure) {
      throw SourceUnavailable.failed("reading " + Revision.shown(path), failure);
    }
  }

  /** Whether there is a link on the way from the root, or at its end. */
  private static boolean isBehindLink(Path root, Path file) {
    var at = root;
    for (var name : root.relativize(file)) {
      at = at.resolve(name);
      if (Files.isSymbolicLink(at)) {
        return true;
      }
    }
    return false;
  }

  private static List<String> namesOnDisk(Path root, String folder) throws SourceUnavailable {
    if (isBehindLink(root, root.resolve(folder))) {
      return List.of();
    }
    try (var files = Files.list(root.resolve(folder))) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    } catch (NoSuchFileException | NotDirectoryException none) {
      return List.of();
    } catch (IOException failure) {
      throw SourceUnavailable.failed("reading " + folder, failure);
    }
  }

  /** The files of a change, those that are reviewed and those that are not. */
  private record Sorted(List<Item> items, List<TreeEntry.Skipped> skipped) {
    static Sorted of(List<FileChange> files, ChangeFilter filter) throws SourceUnavailable {
      var items = new ArrayList<Item>();
      var skipped = new ArrayList<TreeEntry.Skipped>();
      for (var file : files) {
        var why = filter.skip(file);
        if (why.isPresent()) {
          skipped.add(new TreeEntry.Skipped(file.path(), why.get()));
        } else {
          items.add(new Item(file.path(), Optional.of(file)));
        }
      }
      return new Sorted(items, skipped);
    }
  }
}
