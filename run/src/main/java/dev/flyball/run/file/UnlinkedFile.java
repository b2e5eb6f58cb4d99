package dev.flyball.run.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file in a tree that strangers may have written: on the way to it no link is followed. */
public final class UnlinkedFile {
  private UnlinkedFile() {}

  /**
   * Replaces it by these bytes, in folders that are made if they are not there.
   *
   * @param root where the tree begins; the way to it may lead over links
   * @return where it is
   * @throws IOException if there is a link on the way, or in its place
   */
  public static Path replace(Path root, String path, byte[] content) throws IOException {
    var at = root.toRealPath();
    for (var name : Path.of(path)) {
      at = at.resolve(name);
      if (Files.isSymbolicLink(at)) {
        throw new FileSystemException(
            at.toString(), null, "it is a link, and Flyball writes through none: remove it");
      }
    }
    Files.createDirectories(at.getParent());
    AtomicFile.replace(at, content);
    return at;
  }
}
