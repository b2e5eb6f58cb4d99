package dev.flyball.run.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The folder of what one user's runs keep for the next, or a folder in it: the history, what was
 * learned, and of each repository the answers of its reviews.
 *
 * <p>What is in it is believed, so nobody else may have put it there. The folder is the user's, and
 * so is everything in it; folders are made for their owner alone (0700), files too (0600), and what
 * is found more open is closed. The way to the folder itself may lead over links, because the
 * machine's owner laid it. Below that no link is followed: one that is there is refused. Only its
 * owner could replace a file between the look at it and its use.
 *
 * <p>Nothing that is reviewed may have its state in itself: a change would bring its own answers.
 * {@link #outside} refuses that, whether or not anything there is tracked, because that is simple
 * and there is always another folder.
 */
public final class StateFolder {
  private static final String ADVICE = "; name another folder with FLYBALL_STATE";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  private final Path root;
  private final List<String> below;

  private StateFolder(Path root, List<String> below) {
    this.root = root;
    this.below = List.copyOf(below);
  }

  /**
   * That of the user whose environment this is: {@code FLYBALL_STATE}, else {@code flyball} in
   * {@code XDG_STATE_HOME}, else in {@code ~/.local/state} or, on Windows, {@code LOCALAPPDATA}.
   *
   * @throws IOException for a value that is no absolute path
   */
  public static StateFolder of(Map<String, String> environment) throws IOException {
    var own = environment.get("FLYBALL_STATE");
    if (own != null) {
      return at(absolute("FLYBALL_STATE", own));
    }
    boolean windows = java.io.File.separatorChar == '\\';
    for (var name :
        windows ? List.of("XDG_STATE_HOME", "LOCALAPPDATA") : List.of("XDG_STATE_HOME")) {
      var base = environment.getOrDefault(name, "");
      if (!base.isBlank()) {
        return at(absolute(name, base).resolve("flyball"));
      }
    }
    var home = environment.getOrDefault("HOME", "");
    return at(
        absolute("HOME", home.isBlank() ? System.getProperty("user.home", "") : home)
            .resolve(Path.of(".local", "state", "flyball")));
  }

  /** At an absolute path. */
  public static StateFolder at(Path root) {
    return new StateFolder(root, List.of());
  }

  private static Path absolute(String name, String text) throws IOException {
    if (text.isBlank() || !Path.of(text).isAbsolute()) {
      throw new IOException(
          "%s: must be an absolute path, not '%s'%s"
              .formatted(name, text, name.equals("FLYBALL_STATE") ? "" : ADVICE));
    }
    return Path.of(text);
  }

  /** A folder in it; made when something is kept there. */
  public StateFolder folder(String name) {
    var more = new ArrayList<>(below);
    more.add(plain(name));
    return new StateFolder(root, more);
  }

  private static String plain(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a name in the state folder has letters, digits, dots and dashes, but was " + name);
    }
    return name;
  }

  /** Where it is, whether or not it is there. */
  public Path path() {
    var path = root;
    for (var name : below) {
      path = path.resolve(name);
    }
    return path;
  }

  /**
   * Where a file of it is, whether or not it is there.
   *
   * @throws IOException if somebody else may have put something there, or if there is a link
   */
  public Path file(String name) throws IOException {
    return inspected(found(false).resolve(plain(name)));
  }

  /** The same of a file that is made if it is not there. */
  public Path made(String name) throws IOException {
    var file = inspected(found(true).resolve(plain(name)));
    try {
      Files.createFile(file, OwnerOnly.file());
    } catch (FileAlreadyExistsException known) {
      // It was looked at.
    }
    return file;
  }

  /** What a file of it has, to be closed; empty if there is none. */
  public Optional<InputStream> read(String name) throws IOException {
    try {
      return Optional.of(Files.newInputStream(file(name), LinkOption.NOFOLLOW_LINKS));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  /** Replaces a file by what is written; of a failure nothing is left. */
  public <X extends Exception> void replace(String name, AtomicFile.Content<X> content)
      throws IOException, X {
    AtomicFile.replace(inspected(found(true).resolve(plain(name))), content, OwnerOnly.file());
  }

  /** Replaces a file by these bytes. */
  public void replace(String name, byte[] content) throws IOException {
    this.<RuntimeException>replace(name, fresh -> Files.write(fresh, content));
  }

  /** Whether there was a file to delete. */
  public boolean delete(String name) throws IOException {
    return Files.deleteIfExists(file(name));
  }

  /**
   * Makes sure that it is not in what is reviewed, nor that in it.
   *
   * @throws IOException if it is
   */
  public void outside(Path reviewed) throws IOException {
    var tree = reviewed.toRealPath();
    var here = real(root.normalize());
    if (here.startsWith(tree) || tree.startsWith(here)) {
      throw new IOException(
          "state is kept outside of what is reviewed, because a change could bring its own answers,"
              + " but %s and %s are one in the other%s".formatted(root, tree, ADVICE));
    }
  }

  /** A path whose end need not be there yet, without links. */
  private static Path real(Path path) throws IOException {
    var parent = path.getParent();
    if (parent == null || Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return path.toRealPath();
    }
    return real(parent).resolve(path.getFileName());
  }

  private Path found(boolean make) throws IOException {
    if (make) {
      Files.createDirectories(root, OwnerOnly.folder());
    }
    if (!Files.exists(root)) {
      return path();
    }
    var path = root.toRealPath();
    folder(path);
    for (var name : below) {
      path = path.resolve(name);
      if (make) {
        try {
          Files.createDirectory(path, OwnerOnly.folder());
        } catch (FileAlreadyExistsException known) {
          // It is looked at as any other.
        }
      }
      folder(path);
    }
    return path;
  }

  private static void folder(Path path) throws IOException {
    if (OwnerOnly.inspect(path, ADVICE).filter(it -> !it.isDirectory()).isPresent()) {
      throw new NotDirectoryException(path.toString());
    }
  }

  private static Path inspected(Path file) throws IOException {
    if (OwnerOnly.inspect(file, ADVICE).filter(it -> !it.isRegularFile()).isPresent()) {
      throw new IOException("state is kept in files, but %s is none%s".formatted(file, ADVICE));
    }
    return file;
  }
}
