package dev.flyball.review.select;

import dev.flyball.review.patch.Change;
import dev.flyball.review.patch.DiffLimits;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.Patch;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.patch.TextDecoder;
import dev.flyball.review.source.ChangeRange;
import dev.flyball.review.source.ChangeSides;
import dev.flyball.review.source.Commit;
import dev.flyball.review.source.FileContents;
import dev.flyball.review.source.PatchedFiles;
import dev.flyball.review.source.PlainFiles;
import dev.flyball.review.source.Repository;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.review.source.WordMention;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The thing to be reviewed: a folder as it is, or a change, with the files that are left out and
 * why.
 *
 * <p>Of a change, everything that says how it is to be reviewed is read from the state that it
 * starts from: a change cannot configure its own review. Of a patch that is the folder that it is
 * for.
 *
 * <p>Long because each way in which a subject can be had is a method that puts its parts together.
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
  private final Optional<String> address;
  private final boolean isChange;
  private final boolean whole;
  private final List<Item> items;
  private final List<TreeEntry.Skipped> skipped;
  private final List<Item> secretive;
  private final List<FileChange> pointers;
  private final Set<String> sources;
  private final List<Commit> commits;
  private final FileContents now;
  private final FileContents base;
  private final Names names;
  private final ShowRule showRule;
  private final Search search;
  private final Names allNow;
  private final Optional<Repository> repository;

  /** The names in a folder before a change. */
  @FunctionalInterface
  private interface Names {
    List<String> of(String folder) throws SourceUnavailable;
  }

  /** The finder of words in everything that there is after a change. */
  @FunctionalInterface
  private interface Search {
    List<WordMention> of(List<String> words) throws SourceUnavailable;
  }

  /** The choice of the files that may be shown beside what is reviewed. */
  @FunctionalInterface
  private interface ShowRule {
    boolean mayShow(String path, byte[] content) throws SourceUnavailable;
  }

  private Subject(
      String title,
      Path root,
      Optional<String> address,
      boolean isChange,
      Sorted sorted,
      List<Commit> commits,
      FileContents now,
      FileContents base,
      Names names,
      ShowRule showRule,
      Search search,
      Names allNow,
      Optional<Repository> repository) {
    this.title = title;
    this.root = root;
    this.address = address;
    this.isChange = isChange;
    this.whole = sorted.whole;
    this.items = List.copyOf(sorted.items);
    this.skipped = List.copyOf(sorted.skipped);
    this.secretive = List.copyOf(sorted.secretive);
    this.pointers = List.copyOf(sorted.pointers);
    this.sources = Set.copyOf(sorted.sources);
    this.commits = List.copyOf(commits);
    this.now = now;
    this.base = base;
    this.names = names;
    this.showRule = showRule;
    this.search = search;
    this.allNow = allNow;
    this.repository = repository;
  }

  /** All of a folder. */
  public static Subject folder(Path folder) throws SourceUnavailable {
    return files(List.of(folder));
  }

  /** Files and folders, all of one repository. */
  public static Subject files(List<Path> named) throws SourceUnavailable {
    var tree = FolderTree.of(named);
    var sorted = Sorted.of(tree);
    var reviewed = sorted.items.stream().map(Item::path).collect(Collectors.toSet());
    return new Subject(
        title(named),
        tree.top(),
        Optional.empty(),
        false,
        sorted,
        List.of(),
        path -> PlainFiles.content(tree.top(), path),
        path -> PlainFiles.content(tree.top(), path),
        below -> PlainFiles.names(tree.top(), below),
        (path, content) -> reviewed.contains(path),
        words -> List.of(),
        below -> List.of(),
        Optional.empty());
  }

  /** A change of the repository that a folder is in. */
  public static Subject range(Path folder, ChangeRange range) throws SourceUnavailable {
    var repository = Repository.open(folder);
    try {
      var sides = repository.sides(range);
      var filter = ChangeFilter.of(repository, sides, FolderTree.LARGEST);
      return new Subject(
          title(range),
          repository.root(),
          Optional.empty(),
          true,
          Sorted.of(changes(repository, sides, filter), filter),
          repository.commits(range),
          path -> repository.content(sides.now(), path),
          path -> repository.content(sides.old(), path),
          below -> repository.names(sides.old(), below),
          (path, content) ->
              filter.mayShow(path, content) && repository.isRegular(sides.now(), path),
          words -> repository.mentions(sides.now(), words),
          below -> repository.paths(sides.now()),
          Optional.of(repository));
    } catch (SourceUnavailable | RuntimeException failure) {
      repository.close();
      throw failure;
    }
  }

  /** What is text is text, whatever Git was told by attributes that the change may bring. */
  private static List<FileChange> changes(
      Repository repository, ChangeSides sides, ChangeFilter filter) throws SourceUnavailable {
    var all = new ArrayList<FileChange>();
    repository.diff(sides, DiffLimits.USUAL, all::add);
    var hidden = new ArrayList<FileChange>();
    for (var file : all) {
      if (filter.isHiddenText(file)) {
        hidden.add(file);
      }
    }
    if (!hidden.isEmpty()) {
      var seen = new HashMap<String, FileChange>();
      repository.diffAsText(sides, DiffLimits.USUAL, hidden, file -> seen.put(file.path(), file));
      all.replaceAll(file -> seen.getOrDefault(file.path(), file));
    }
    return all;
  }

  /**
   * A change that came as a patch.
   *
   * @param folder what it is for; where a file there is as the patch says, all of it can be read
   */
  public static Subject patch(String title, InputStream patch, Path folder)
      throws SourceUnavailable, IOException, PatchRefused {
    var change = Patch.readSome(patch);
    var root = folder.toRealPath();
    FileContents disk = path -> PlainFiles.content(root, path);
    var before = PatchedFiles.before(change, disk);
    var filter = ChangeFilter.ofPatch(before);
    return new Subject(
        title,
        root,
        Optional.empty(),
        true,
        Sorted.of(change.files(), filter),
        List.of(),
        PatchedFiles.of(change, disk),
        before,
        below -> PlainFiles.names(root, below),
        filter::mayShow,
        words -> List.of(),
        below -> List.of(),
        Optional.empty());
  }

  /**
   * A change of a repository that is somewhere else.
   *
   * @param address what it is known by, and is the same next time
   * @param folder the user's, which has nothing to do with it
   * @param old files as they are before the change
   * @param now files as it leaves them
   */
  public static Subject elsewhere(
      String title,
      String address,
      Path folder,
      Change change,
      List<Commit> commits,
      FileContents old,
      FileContents now)
      throws SourceUnavailable {
    var filter = ChangeFilter.of(old, now);
    return new Subject(
        title,
        folder,
        Optional.of(address),
        true,
        Sorted.of(change.files(), filter),
        commits,
        now,
        old,
        below -> List.of(),
        filter::mayShow,
        words -> List.of(),
        below -> List.of(),
        Optional.empty());
  }

  /** The same change, known by another name than its folder, with what is known of its commits. */
  public Subject known(String newTitle, String newAddress, List<Commit> told) {
    return new Subject(
        newTitle,
        root,
        Optional.of(newAddress),
        isChange,
        new Sorted(items, skipped, secretive, pointers, sources, whole),
        told,
        now,
        base,
        names,
        showRule,
        search,
        allNow,
        repository);
  }

  /**
   * The same with only these files; the others were reviewed before. Only one of both is closed.
   */
  public Subject only(Set<String> paths) {
    var rest = new ArrayList<>(skipped);
    items.stream()
        .filter(item -> !has(paths, item))
        .forEach(item -> rest.add(new TreeEntry.Skipped(item.path(), SkipReason.REVIEWED_BEFORE)));
    var fewer =
        new Sorted(
            items.stream().filter(item -> has(paths, item)).toList(),
            rest,
            secretive.stream().filter(item -> has(paths, item)).toList(),
            pointers.stream().filter(file -> paths.contains(file.path())).toList(),
            sources.stream().filter(paths::contains).collect(Collectors.toSet()),
            false);
    return new Subject(
        title,
        root,
        address,
        isChange,
        fewer,
        commits,
        now,
        base,
        names,
        showRule,
        search,
        allNow,
        repository);
  }

  private static boolean has(Set<String> paths, Item item) {
    return paths.contains(item.path())
        || item.change().flatMap(FileChange::oldPath).filter(paths::contains).isPresent();
  }

  private static String title(List<Path> named) {
    var first = named.getFirst().toString();
    return (first.isEmpty() ? "." : first)
        + (named.size() > 1 ? " and %d more".formatted(named.size() - 1) : "");
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

  /** What it is known by where that is no folder of this machine. */
  public Optional<String> address() {
    return address;
  }

  /** Where paths begin. */
  public Path root() {
    return root;
  }

  public boolean isChange() {
    return isChange;
  }

  /** Whether it is a change of nothing. */
  public boolean isEmpty() {
    return isChange && items.isEmpty() && skipped.isEmpty() && pointers.isEmpty();
  }

  /** Whether there are no other files: then what none of them uses is not used. */
  public boolean isWhole() {
    return whole;
  }

  /** What is reviewed, by path. */
  public List<Item> items() {
    return items;
  }

  /** What is left out. */
  public List<TreeEntry.Skipped> skipped() {
    return skipped;
  }

  /**
   * Of what is left out, the files that hold secrets by their names. They may be looked at here,
   * and are never shown.
   */
  public List<Item> secretive() {
    return secretive;
  }

  /** The links and submodules that a change has touched. */
  public List<FileChange> pointers() {
    return pointers;
  }

  /** Whether a file that is reviewed is what a program is made of. */
  public boolean isSource(String path) {
    return sources.contains(path);
  }

  /** Whether there is any source that no rule leaves out, whether or not it could be shown. */
  public boolean hasSource() {
    return !sources.isEmpty() || skipped.stream().anyMatch(TreeEntry.Skipped::missed);
  }

  /** Of a change that has some, the oldest first. */
  public List<Commit> commits() {
    return commits;
  }

  /** What a file says now; empty if that is not known, too large, or if there is none. */
  public Optional<String> text(String path) throws SourceUnavailable {
    return bytes(path).map(TextDecoder::of);
  }

  /** The bytes of the same. */
  public Optional<byte[]> bytes(String path) throws SourceUnavailable {
    try {
      return now.of(path);
    } catch (SourceUnavailable large) {
      if (isChange && large.reason() == SourceUnavailable.Reason.TOO_LARGE) {
        return Optional.empty();
      }
      throw large;
    }
  }

  /**
   * The text of a file that somebody who was shown a part of the subject asks for; empty unless the
   * review itself could have shown it: no link, no secrets by its name, nothing that is left out.
   */
  public Optional<String> reference(String path) throws SourceUnavailable {
    if (!PlainFiles.isPlain(path)) {
      return Optional.empty();
    }
    var content = bytes(path);
    return content.isPresent() && showRule.mayShow(path, content.get())
        ? content.map(TextDecoder::of)
        : Optional.empty();
  }

  /**
   * The lines of the repository, as a change leaves it, that have any of some words; none where
   * only the change itself is at hand.
   */
  public List<WordMention> mentions(List<String> words) {
    try {
      return search.of(words);
    } catch (SourceUnavailable tooMany) {
      // It is a help and no more: without it less is shown.
      return List.of();
    }
  }

  /** The files of the repository as a change leaves it; none where only the change is at hand. */
  public List<String> pathsNow() {
    try {
      return allNow.of("");
    } catch (SourceUnavailable tooMany) {
      return List.of();
    }
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

  /** The files of a subject, those that are reviewed and those that are not. */
  private record Sorted(
      List<Item> items,
      List<TreeEntry.Skipped> skipped,
      List<Item> secretive,
      List<FileChange> pointers,
      Set<String> sources,
      boolean whole) {
    static Sorted of(FolderTree tree) {
      var items =
          tree.reviewed().stream().map(file -> new Item(file.path(), Optional.empty())).toList();
      var sources = new HashSet<String>();
      for (var entry : tree.found()) {
        if (SourceFiles.isSource(entry.path()) && !isLeftOut(entry)) {
          sources.add(entry.path());
        }
      }
      var secretive =
          tree.skipped().stream()
              .filter(file -> file.why() == SkipReason.SECRET)
              .map(file -> new Item(file.path(), Optional.empty()))
              .toList();
      return new Sorted(items, tree.skipped(), secretive, List.of(), sources, tree.isWhole());
    }

    /** By somebody who said so. */
    private static boolean isLeftOut(TreeEntry entry) {
      return entry instanceof TreeEntry.Skipped skipped
          && (skipped.why() == SkipReason.GIT_IGNORED
              || skipped.why() == SkipReason.FLYBALL_IGNORED);
    }

    static Sorted of(List<FileChange> files, ChangeFilter filter) throws SourceUnavailable {
      var items = new ArrayList<Item>();
      var skipped = new ArrayList<TreeEntry.Skipped>();
      var secretive = new ArrayList<Item>();
      var pointers = new ArrayList<FileChange>();
      var sources = new HashSet<String>();
      for (var file : files) {
        if (file.submodule() || file.symlink()) {
          pointers.add(file);
        }
        var why = filter.skip(file);
        if (why.isPresent()) {
          skipped.add(why.get());
          if (why.get().why() == SkipReason.SECRET) {
            secretive.add(new Item(file.path(), Optional.of(file)));
          }
        } else {
          items.add(new Item(file.path(), Optional.of(file)));
          if (filter.isSource(file)) {
            sources.add(file.path());
          }
        }
      }
      return new Sorted(items, skipped, secretive, pointers, sources, false);
    }
  }
}
