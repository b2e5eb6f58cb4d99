package dev.flyball.run.file;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.Set;

/**
 * The rights of what is for its owner alone: folders 0700, files 0600. Where a system knows no such
 * rights, as Windows does not, a user's own folder is closed to others by itself.
 */
final class OwnerOnly {
  private static final boolean KNOWN =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Path PROCESS = Path.of("/proc/self");

  private OwnerOnly() {}

  static FileAttribute<?>[] folder() {
    return attributes(FOLDER);
  }

  static FileAttribute<?>[] file() {
    return attributes(FILE);
  }

  private static FileAttribute<?>[] attributes(Set<PosixFilePermission> rights) {
    return KNOWN
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(rights)}
        : new FileAttribute<?>[0];
  }

  /**
   * Looks at a file or folder: it is no link, and it is ours. If others may use it, they may no
   * longer.
   *
   * @param advice what else somebody can do who is refused
   * @return what it is; empty if it is not there
   */
  static Optional<BasicFileAttributes> inspect(Path path, String advice) throws IOException {
    BasicFileAttributes found;
    try {
      found =
          KNOWN
              ? Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              : Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
    if (found.isSymbolicLink()) {
      throw new IOException(
          "%s is a link, and Flyball keeps no state behind links: remove it%s"
              .formatted(path, advice));
    }
    if (found instanceof PosixFileAttributes posix) {
      if (!posix.owner().equals(User.OURS)) {
        throw new IOException(
            "%s belongs to %s, and Flyball keeps state only in folders of your own%s"
                .formatted(path, posix.owner(), advice));
      }
      var most = posix.isDirectory() ? FOLDER : FILE;
      if (!most.containsAll(posix.permissions())) {
        var fewer = java.util.EnumSet.copyOf(posix.permissions());
        fewer.retainAll(most);
        Files.setPosixFilePermissions(path, fewer);
      }
    }
    return Optional.of(found);
  }

  /** The user that this process runs as, who may have no name. */
  private static final class User {
    static final UserPrincipal OURS = ours();

    private static UserPrincipal ours() {
      try {
        if (Files.exists(PROCESS)) {
          return Files.getOwner(PROCESS);
        }
        var made = Files.createTempFile("flyball", ".owner");
        try {
          return Files.getOwner(made);
        } finally {
          Files.delete(made);
        }
      } catch (IOException unknown) {
        throw new java.io.UncheckedIOException("nobody knows whose process this is", unknown);
      }
    }
  }
}
