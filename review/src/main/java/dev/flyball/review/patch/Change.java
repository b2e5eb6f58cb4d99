package dev.flyball.review.patch;

import java.util.List;

/** The difference between two states of a tree of files. */
public record Change(List<FileChange> files) {
  public Change {
    files = List.copyOf(files);
  }

  public long added() {
    return files.stream().mapToLong(FileChange::added).sum();
  }

  public long deleted() {
    return files.stream().mapToLong(FileChange::deleted).sum();
  }
}
