package dev.flyball.gateway.task;

import dev.flyball.review.source.PlainFiles;
import dev.flyball.run.BadSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The folders whose repositories may be reviewed, by the names that an operator gave them.
 *
 * <p>A client says {@code NAME}, or {@code NAME/path/below} where a folder holds several
 * repositories. It never says where on the disk. What is below is reached without following a link,
 * a repository there has its {@code .git} in itself, and one that is found is never larger than the
 * folder that was named: whoever names a part of a repository has not named the rest.
 */
public final class NamedFolders {
  /** None: only patches can be reviewed. */
  public static final NamedFolders NONE = new NamedFolders(Map.of());

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final String GIT = ".git";

  private final Map<String, Path> folders;

  private NamedFolders(Map<String, Path> folders) {
    this.folders = folders;
  }

  /** Of folders that are there; refuses, with {@link BadSettings}, a name or a folder. */
  public static NamedFolders of(Map<String, Path> named) {
    var folders = new LinkedHashMap<String, Path>();
    named.forEach(
        (name, folder) -> {
          if (!NAME.matcher(name).matches()) {
            throw new BadSettings(
                "repositories: a name may have letters, digits, dots and dashes, not '%s'"
                    .formatted(name.replaceAll("\\p{Cntrl}", "?")));
          }
          try {
            var real = folder.toRealPath();
            if (!Files.isDirectory(real)) {
              throw new BadSettings("repositories.%s: %s is not a folder".formatted(name, folder));
            }
            folders.put(name, real);
          } catch (IOException none) {
            throw new BadSettings("repositories.%s: there is no folder %s".formatted(name, folder));
          }
        });
    return new NamedFolders(folders);
  }

  /** The folder that a client means; empty if the operator has named none such. */
  Optional<Path> find(String asked) {
    int slash = asked.indexOf('/');
    var root = folders.get(slash < 0 ? asked : asked.substring(0, slash));
    if (root == null) {
      return Optional.empty();
    }
    return slash < 0 ? Optional.of(root) : below(root, asked.substring(slash + 1));
  }

  private static Optional<Path> below(Path root, String path) {
    if (!PlainFiles.isPlain(path) || path.indexOf('\\') >= 0) {
      return Optional.empty();
    }
    try {
      var place = root;
      for (var part : path.split("/", -1)) {
        place = place.resolve(part);
        if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
          return Optional.empty();
        }
      }
      // A file called .git, or a link, could lead to a repository anywhere.
      return Files.isDirectory(place.resolve(GIT), LinkOption.NOFOLLOW_LINKS)
              && place.toRealPath().startsWith(root)
          ? Optional.of(place)
          : Optional.empty();
    } catch (InvalidPathException | IOException none) {
      return Optional.empty();
    }
  }

  /** Whether the repository that was found in a folder is no larger than the folder. */
  static boolean holds(Path folder, Path repository) {
    try {
      return repository.toRealPath().startsWith(folder.toRealPath());
    } catch (IOException gone) {
      return false;
    }
  }
}
