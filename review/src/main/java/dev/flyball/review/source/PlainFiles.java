package dev.flyball.review.source;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/**
 * Files below a folder that are reached without a link in any part of their path, and that are not
 * Git's own. Whatever else a path leads to is as if it were not there: somebody else wrote the
 * tree.
 */
public final class PlainFiles {
  private PlainFiles() {}

  /** Whether a path names something below, in the one way that Git would name it. */
  public static boolean isPlain(String path) {
    if (path.isEmpty() || path.startsWith("/") || path.indexOf('\0') >= 0) {
      return false;
    }
    for (var part : path.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..") || isGit(part)) {
        return false;
      }
    }
    return true;
  }

  /** Some systems drop dots and blanks at the end, and take a short form for the long one. */
  private static boolean isGit(String part) {
    var name = part.replaceFirst("[. ]{1,255}$", "");
    return name.equalsIgnoreCase(".git") || name.equalsIgnoreCase("git~1");
  }

  /** What a regular file has; empty if there is none at this path. */
  public static Optional<byte[]> content(Path root, String path) throws SourceUnavailable {
    try {
      var file = reach(root, path);
      if (file.isEmpty() || !Files.isRegularFile(file.get(), NOFOLLOW_LINKS)) {
        return Optional.empty();
      }
      FileContents.checkSize(path, Files.size(file.get()));
      try (var in = Files.newInputStream(file.get(), NOFOLLOW_LINKS)) {
        return Optional.of(in.readNBytes(FileContents.LARGEST));
      }
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    } catch (IOException failure) {
      throw SourceUnavailable.failed("reading " + Revision.shown(path), failure);
    }
  }

  /** Of a link, where it points to; of a regular file, what it has. */
  static Optional<byte[]> contentOrTarget(Path root, String path) throws SourceUnavailable {
    try {
      var file = reach(root, path);
      return file.isPresent() && Files.isSymbolicLink(file.get())
          ? Optional.of(
              Files.readSymbolicLink(file.get()).toString().getBytes(StandardCharsets.UTF_8))
          : content(root, path);
    } catch (IOException failure) {
      throw SourceUnavailable.failed("reading " + Revision.shown(path), failure);
    }
  }

  /** The names in a folder; none if there is no such folder. */
  public static List<String> names(Path root, String folder) throws SourceUnavailable {
    try {
      var place = reach(root, folder);
      if (place.isEmpty() || !Files.isDirectory(place.get(), NOFOLLOW_LINKS)) {
        return List.of();
      }
      try (var files = Files.list(place.get())) {
        return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
      }
    } catch (NoSuchFileException | NotDirectoryException none) {
      return List.of();
    } catch (IOException failure) {
      throw SourceUnavailable.failed("reading " + Revision.shown(folder), failure);
    }
  }

  /** The place of a path whose folders are folders; what is there itself may be anything. */
  private static Optional<Path> reach(Path root, String path) throws IOException {
    if (!isPlain(path)) {
      return Optional.empty();
    }
    var place = root;
    try {
      var parts = path.split("/", -1);
      for (int i = 0; i < parts.length; i++) {
        place = place.resolve(parts[i]);
        if (i < parts.length - 1
            && !Files.readAttributes(place, BasicFileAttributes.class, NOFOLLOW_LINKS)
                .isDirectory()) {
          return Optional.empty();
        }
      }
      return Optional.of(place);
    } catch (InvalidPathException | NoSuchFileException | NotDirectoryException none) {
      return Optional.empty();
    }
  }
}
