package dev.flyball.review.source;

import java.util.Optional;

/** The contents of files by their paths. */
@FunctionalInterface
public interface FileContents {
  /** As many bytes as are ever read of a file. */
  int LARGEST = 64 << 20;

  /** Of a path; empty if there is no such file, or if it is not known. */
  Optional<byte[]> of(String path) throws SourceUnavailable;

  /** Refuses a file that is larger than all that is read. */
  static void checkSize(String path, long size) throws SourceUnavailable {
    if (size > LARGEST) {
      throw new SourceUnavailable(
          SourceUnavailable.Reason.TOO_LARGE,
          "a file that is read has at most %d bytes, but %s has %d"
              .formatted(LARGEST, Revision.shown(path), size));
    }
  }
}
