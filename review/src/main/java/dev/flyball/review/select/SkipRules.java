package dev.flyball.review.select;

import java.util.Optional;

/**
 * The rules by which a file is left out of a review, the same for a folder and for a change.
 *
 * <p>They are asked in an order in which each needs to know more of the file than those before it:
 * patterns, what sort of thing it is, its name, its folder, its size, its first bytes. A file that
 * a pattern asks for is reviewed whatever its name, its folder or its text look like; but nobody
 * can ask for what holds secrets, is no text or is too large.
 *
 * @param largest as many bytes as a file may have
 */
record SkipRules(long largest) {
  /** The sort of thing that is at a path. */
  enum Kind {
    TEXT,
    BINARY,
    SYMLINK,
    SUBMODULE,
    /** A pipe, say. */
    OTHER
  }

  /**
   * A file or a folder as it is known before it is opened.
   *
   * @param path from where the review begins
   * @param patterns what .flyballignore says of it, and of the folders that it is in
   * @param gitIgnored whether .gitignore leaves it out, and Git was not told of it all the same
   */
  record Facts(String path, Kind kind, IgnoreState patterns, boolean gitIgnored) {}

  /**
   * The word of the .flyballignore files on a path.
   *
   * @param ignored whether the path or a folder that it is in is left out
   * @param wanted whether the path itself is asked for
   * @param inWanted whether a folder that it is in is
   */
  record IgnoreState(boolean ignored, boolean wanted, boolean inWanted) {
    static final IgnoreState NOTHING = new IgnoreState(false, false, false);

    /** The same of a path in this one. */
    IgnoreState below(IgnorePatterns.Verdict verdict) {
      return new IgnoreState(
          ignored || verdict == IgnorePatterns.Verdict.IGNORED,
          verdict == IgnorePatterns.Verdict.WANTED,
          inWanted || wanted);
    }
  }

  /** The content of a file, which is opened only if nothing that is known before decides. */
  interface Content<E extends Exception> {
    long size() throws E;

    /** At most {@link FileClassifier#HEAD} bytes. */
    byte[] head() throws E;
  }

  /** The reason to leave out a folder with all that is in it. */
  Optional<SkipReason> ofFolder(Facts facts) {
    return unopened(facts).or(() -> vendored(facts, facts.path()));
  }

  /** The reason to leave out a file. */
  <E extends Exception> Optional<SkipReason> of(Facts facts, Content<E> content) throws E {
    var path = facts.path();
    boolean wanted = facts.patterns().wanted();
    var why =
        unopened(facts)
            .or(() -> FileClassifier.ofName(path).filter(it -> !wanted || it == SkipReason.SECRET))
            .or(() -> vendored(facts, path.substring(0, path.lastIndexOf('/') + 1)));
    if (why.isPresent()) {
      return why;
    }
    if (content.size() > largest) {
      return Optional.of(SkipReason.OVERSIZED);
    }
    var head = content.head();
    return FileClassifier.ofHead(head)
        .filter(it -> it != SkipReason.BINARY || !isSource(path, head))
        .filter(it -> !wanted || it == SkipReason.BINARY);
  }

  /** A byte that no text has does not hide source. */
  private static boolean isSource(String path, byte[] head) {
    return (SourceFiles.isSource(path) || SourceFiles.isScript(head))
        && !FileClassifier.isGarbage(head);
  }

  private static Optional<SkipReason> unopened(Facts facts) {
    if (facts.patterns().ignored()) {
      return Optional.of(SkipReason.FLYBALL_IGNORED);
    }
    if (facts.kind() == Kind.SUBMODULE) {
      return Optional.of(SkipReason.SUBMODULE);
    }
    if (facts.gitIgnored()) {
      return Optional.of(SkipReason.GIT_IGNORED);
    }
    return switch (facts.kind()) {
      case TEXT, SUBMODULE -> Optional.empty();
      case BINARY -> Optional.of(SkipReason.BINARY);
      case SYMLINK -> Optional.of(SkipReason.SYMLINK);
      case OTHER -> Optional.of(SkipReason.NOT_READABLE);
    };
  }

  private static Optional<SkipReason> vendored(Facts facts, String folder) {
    return !facts.patterns().wanted()
            && !facts.patterns().inWanted()
            && FileClassifier.isVendored(folder)
        ? Optional.of(SkipReason.VENDORED)
        : Optional.empty();
  }
}
