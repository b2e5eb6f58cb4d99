package dev.flyball.review.source;

import java.util.Optional;

/** Where the contents of files are to be had. */
@FunctionalInterface
public interface FileContents {
  /** Of a path; empty if there is no such file, or if it is not known. */
  Optional<byte[]> of(String path) throws SourceUnavailable;

  /** What bytes of unknown origin say: UTF-8 if they can be that, else Latin-1. */
  static String text(byte[] bytes) {
    return TextDecoder.of(bytes);
  }
}
