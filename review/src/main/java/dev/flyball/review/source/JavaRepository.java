package dev.flyball.review.source;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jgit.api.errors.CanceledException;
import org.eclipse.jgit.diff.ContentSource;
import org.eclipse.jgit.diff.DiffAlgorithm;
import org.eclipse.jgit.diff.DiffEntry;
import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;
import org.eclipse.jgit.diff.RenameDetector;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheIterator;
import org.eclipse.jgit.errors.AmbiguousObjectException;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.LargeObjectException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.errors.RevisionSyntaxException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.RepositoryBuilder;
import org.eclipse.jgit.lib.StoredConfig;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevSort;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.revwalk.filter.RevFilter;
import org.eclipse.jgit.treewalk.AbstractTreeIterator;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;
import org.eclipse.jgit.treewalk.EmptyTreeIterator;
import org.eclipse.jgit.treewalk.FileTreeIterator;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.WorkingTreeIterator;
import org.jspecify.annotations.Nullable;

/** A repository through JGit, where there is no {@code git} command. */
final class JavaRepository extends Repository {
  private static final byte[] BINARY = "Binary files differ\n".getBytes(StandardCharsets.US_ASCII);
  private static final DiffAlgorithm ALGORITHM = new Alignment();

  private final org.eclipse.jgit.lib.Repository git;

  private JavaRepository(Path root, org.eclipse.jgit.lib.Repository git) {
    super(root);
    this.git = git;
  }

  static Repository at(Path folder) throws SourceUnavailable {
    Settings.ofNobody();
    try {
      var builder =
          new RepositoryBuilder().setMustExist(true).findGitDir(folder.toAbsolutePath().toFile());
      if (builder.getGitDir() == null) {
        throw noRepository(folder);
      }
      var git = builder.build();
      if (git.isBare()) {
        git.close();
        throw noRepository(folder);
      }
      withoutFilters(git.getConfig());
      return new JavaRepository(git.getWorkTree().toPath(), git);
    } catch (IOException failure) {
      throw failed("opening " + folder, failure);
    }
  }

  private static void withoutFilters(StoredConfig config) {
    for (var filter : config.getSubsections("filter")) {
      config.unsetSection("filter", filter);
    }
  }

  @Override
  public boolean isShallow() throws SourceUnavailable {
    return !shallow().isEmpty();
  }

  @Override
  boolean isShallowAt(String commit) throws SourceUnavailable {
    return shallow().contains(ObjectId.fromString(commit));
  }

  private Set<ObjectId> shallow() throws SourceUnavailable {
    try {
      return git.getObjectDatabase().getShallowCommits();
    } catch (IOException failure) {
      throw failed("reading the shallow commits of " + root(), failure);
    }
  }

  @Override
  void diff(Sides sides, Keep keep, Each each) throws SourceUnavailable {
    try (var reader = git.newObjectReader();
        var out = new ByteArrayOutputStream();
        var format = new DiffFormatter(out)) {
      format.setReader(reader, git.getConfig());
      format.setRepository(git);
      format.setDetectRenames(false);
      format.setDiffComparator(RawTextComparator.DEFAULT);
      format.setDiffAlgorithm(ALGORITHM);
      format.setContext(3);
      format.setAbbreviationLength(Constants.OBJECT_ID_STRING_LENGTH);
      var old = iterator(sides.old(), reader);
      var now = iterator(sides.now(), reader);
      var entries = new ArrayList<>(format.scan(old, now));
      if (sides.now() instanceof State.Disk) {
        var index = DirCache.read(git);
        entries.removeIf(entry -> isUntracked(entry, index));
      }
      var sources = new ContentSource.Pair(source(old, reader), source(now, reader));
      long left = keep.inAll();
      var gone = new ArrayList<byte[]>();
      for (var entry : renamed(entries, sources)) {
        format.format(entry);
        format.flush();
        if (endsWith(out.toByteArray(), BINARY)) {
          withLines(entry, sources, format, out);
        }
        var patch = out.toByteArray();
        out.reset();
        left -= hand(patch, gone, new Keep(keep.aFile(), Math.max(left, 0)), each);
      }
      left -= hand(new byte[0], gone, new Keep(keep.aFile(), Math.max(left, 0)), each);
    } catch (IOException failure) {
      throw failed("comparing in " + root(), failure);
    } catch (PatchRefused refused) {
      throw failed("reading what JGit says", refused);
    }
  }

  /** JGit takes a file with a lone carriage return for binary; to Git only a NUL makes one. */
  private static void withLines(
      DiffEntry entry, ContentSource.Pair sources, DiffFormatter format, ByteArrayOutputStream out)
      throws IOException {
    byte[] old;
    byte[] now;
    try {
      old = bytes(DiffEntry.Side.OLD, entry, sources);
      now = bytes(DiffEntry.Side.NEW, entry, sources);
    } catch (LargeObjectException large) {
      return;
    }
    if (hasNul(old) || hasNul(now)) {
      return;
    }
    var header = out.toByteArray();
    out.reset();
    out.write(header, 0, header.length - BINARY.length);
    var edits = ALGORITHM.diff(RawTextComparator.DEFAULT, new RawText(old), new RawText(now));
    format.format(edits, new RawText(old), new RawText(now));
    format.flush();
  }

  private static byte[] bytes(DiffEntry.Side side, DiffEntry entry, ContentSource.Pair sources)
      throws IOException {
    return entry.getMode(side).getObjectType() == Constants.OBJ_BLOB
        ? sources.open(side, entry).getBytes(LARGEST_CONTENT)
        : new byte[0];
  }

  private static boolean hasNul(byte[] content) {
    for (int i = 0; i < Math.min(content.length, 8000); i++) {
      if (content[i] == 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean endsWith(byte[] bytes, byte[] end) {
    return bytes.length >= end.length
        && Arrays.equals(bytes, bytes.length - end.length, bytes.length, end, 0, end.length);
  }

  /** A file that became a link is two entries, of which the first waits for the second. */
  private static long hand(byte[] patch, List<byte[]> waiting, Keep keep, Each each)
      throws IOException, PatchRefused {
    var text = new ByteArrayOutputStream();
    for (var before : waiting) {
      text.writeBytes(before);
    }
    text.writeBytes(patch);
    waiting.clear();
    var files = new ArrayList<FileChange>();
    var read = Patch.open(new ByteArrayInputStream(text.toByteArray()), keep);
    for (var file = read.next(); file.isPresent(); file = read.next()) {
      files.add(file.get());
    }
    if (patch.length > 0 && !files.isEmpty() && files.getLast().kind() == FileChange.Kind.DELETED) {
      waiting.add(patch);
      files.removeLast();
    }
    files.forEach(each::file);
    return read.kept();
  }

  private static boolean isUntracked(DiffEntry entry, DirCache index) {
    return entry.getChangeType() == DiffEntry.ChangeType.ADD
        && index.findEntry(entry.getNewPath()) < 0;
  }

  private List<DiffEntry> renamed(List<DiffEntry> entries, ContentSource.Pair sources)
      throws IOException {
    // A file that became a link is one that is gone and one that is new, neither of which moved.
    var gone = paths(entries, DiffEntry.ChangeType.DELETE);
    gone.retainAll(paths(entries, DiffEntry.ChangeType.ADD));
    var found = new ArrayList<DiffEntry>();
    var others = new ArrayList<DiffEntry>();
    for (var entry : entries) {
      (gone.contains(path(entry)) ? found : others).add(entry);
    }
    for (var entry : moved(others, sources)) {
      found.add(entry.getChangeType() == DiffEntry.ChangeType.COPY ? added(entry, others) : entry);
    }
    found.sort(
        Comparator.<DiffEntry, byte[]>comparing(
                entry -> path(entry).getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned)
            .thenComparing(entry -> entry.getChangeType() != DiffEntry.ChangeType.DELETE));
    return found;
  }

  private static Set<String> paths(List<DiffEntry> entries, DiffEntry.ChangeType type) {
    return entries.stream()
        .filter(entry -> entry.getChangeType() == type)
        .map(JavaRepository::path)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private List<DiffEntry> moved(List<DiffEntry> entries, ContentSource.Pair sources)
      throws IOException {
    var renames = new RenameDetector(git);
    renames.setRenameScore(SIMILAR);
    renames.setRenameLimit(RENAMES);
    renames.addAll(entries);
    try {
      return renames.compute(sources, NullProgressMonitor.INSTANCE);
    } catch (CanceledException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Of a file that moved to two places JGit calls one a copy, and Git calls it new. */
  private static DiffEntry added(DiffEntry copy, List<DiffEntry> entries) {
    return entries.stream()
        .filter(
            entry ->
                entry.getChangeType() == DiffEntry.ChangeType.ADD
                    && entry.getNewPath().equals(copy.getNewPath()))
        .findFirst()
        .orElse(copy);
  }

  private static String path(DiffEntry entry) {
    return entry.getChangeType() == DiffEntry.ChangeType.DELETE
        ? entry.getOldPath()
        : entry.getNewPath();
  }

  private static ContentSource source(AbstractTreeIterator iterator, ObjectReader reader) {
    return iterator instanceof WorkingTreeIterator disk
        ? ContentSource.create(disk)
        : ContentSource.create(reader);
  }

  private AbstractTreeIterator iterator(State state, ObjectReader reader)
      throws IOException, SourceUnavailable {
    return switch (state) {
      case State.At(var commit) -> {
        try (var walk = new RevWalk(reader)) {
          var tree = walk.parseCommit(ObjectId.fromString(commit(commit))).getTree();
          yield new CanonicalTreeParser(null, reader, tree);
        }
      }
      case State.Nothing() -> new EmptyTreeIterator();
      case State.Index() -> new DirCacheIterator(DirCache.read(git));
      case State.Disk() -> new FileTreeIterator(git);
    };
  }

  @Override
  @Nullable String find(String revision) throws SourceUnavailable {
    try {
      var id = git.resolve(revision + "^{commit}");
      return id == null ? null : id.name();
    } catch (AmbiguousObjectException
        | IncorrectObjectTypeException
        | MissingObjectException
        | RevisionSyntaxException unknown) {
      return null;
    } catch (IOException failure) {
      throw failed("looking for " + Revision.shown(revision), failure);
    }
  }

  @Override
  @Nullable String fork(String one, String other) throws SourceUnavailable {
    try (var walk = new RevWalk(git)) {
      walk.setRevFilter(RevFilter.MERGE_BASE);
      walk.markStart(walk.parseCommit(ObjectId.fromString(one)));
      walk.markStart(walk.parseCommit(ObjectId.fromString(other)));
      var base = walk.next();
      return base == null ? null : base.name();
    } catch (IOException failure) {
      throw failed("looking for the common commit in " + root(), failure);
    }
  }

  @Override
  List<String> parents(String commit) throws SourceUnavailable {
    try (var walk = new RevWalk(git)) {
      return parents(walk.parseCommit(ObjectId.fromString(commit)));
    } catch (IOException failure) {
      throw failed("reading commit " + commit, failure);
    }
  }

  private static List<String> parents(RevCommit commit) {
    return Arrays.stream(commit.getParents()).map(RevCommit::name).toList();
  }

  @Override
  List<Commit> log(@Nullable String without, String of) throws SourceUnavailable {
    try (var walk = new RevWalk(git)) {
      walk.sort(RevSort.TOPO);
      walk.markStart(walk.parseCommit(ObjectId.fromString(of)));
      if (without != null) {
        walk.markUninteresting(walk.parseCommit(ObjectId.fromString(without)));
      }
      var commits = new ArrayList<Commit>();
      for (var commit : walk) {
        commits.add(
            new Commit(commit.name(), parents(commit), commit.getShortMessage(), paths(commit)));
      }
      Collections.reverse(commits);
      return commits;
    } catch (IOException failure) {
      throw failed("reading the commits of " + root(), failure);
    }
  }

  private List<String> paths(RevCommit commit) throws IOException, SourceUnavailable {
    if (commit.getParentCount() > 1) {
      return List.of();
    }
    try (var reader = git.newObjectReader();
        var format = new DiffFormatter(java.io.OutputStream.nullOutputStream())) {
      format.setReader(reader, git.getConfig());
      var old =
          commit.getParentCount() == 0
              ? new EmptyTreeIterator()
              : iterator(new State.At(commit.getParent(0).name()), reader);
      var now = iterator(new State.At(commit.name()), reader);
      var sources = new ContentSource.Pair(source(old, reader), source(now, reader));
      return renamed(format.scan(old, now), sources).stream()
          .map(JavaRepository::path)
          .distinct()
          .toList();
    }
  }

  @Override
  List<String> names(String commit, String folder) throws SourceUnavailable {
    try (var walk = new RevWalk(git);
        var found =
            TreeWalk.forPath(
                git, folder, walk.parseCommit(ObjectId.fromString(commit)).getTree())) {
      var names = new ArrayList<String>();
      if (found != null && found.isSubtree()) {
        try (var tree = new TreeWalk(git)) {
          tree.addTree(found.getObjectId(0));
          while (tree.next()) {
            names.add(tree.getNameString());
          }
        }
      }
      return names;
    } catch (IOException failure) {
      throw failed("reading " + Revision.shown(folder), failure);
    }
  }

  @Override
  byte @Nullable [] blob(String commit, String path) throws SourceUnavailable {
    try (var walk = new RevWalk(git);
        var tree =
            TreeWalk.forPath(git, path, walk.parseCommit(ObjectId.fromString(commit)).getTree())) {
      return tree == null ? null : bytes(tree.getObjectId(0), tree.getFileMode(0), path);
    } catch (IOException failure) {
      throw failed("reading " + Revision.shown(path), failure);
    }
  }

  @Override
  byte @Nullable [] staged(String path) throws SourceUnavailable {
    try {
      var entry = DirCache.read(git).getEntry(path);
      return entry == null ? null : bytes(entry.getObjectId(), entry.getFileMode(), path);
    } catch (IOException failure) {
      throw failed("reading " + Revision.shown(path), failure);
    }
  }

  private byte @Nullable [] bytes(ObjectId id, FileMode mode, String path)
      throws IOException, SourceUnavailable {
    if (mode.getObjectType() != Constants.OBJ_BLOB) {
      return null;
    }
    var object = git.open(id, Constants.OBJ_BLOB);
    checkSize(path, object.getSize());
    return object.getBytes(LARGEST_CONTENT);
  }

  @Override
  public void close() {
    git.close();
  }
}
