package dev.flyball.review.rule;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The rules that are shipped: all files of one folder of resources, whose path in it is the id of
 * the rule. There is no list of them anywhere else.
 */
public final class RuleFiles {
  private static final String FOLDER = "rules";
  private static final String ENDING = ".yaml";

  private static final class Loaded {
    static final List<DefectRule> RULES = read();
  }

  private RuleFiles() {}

  /** By id. */
  public static List<DefectRule> all() {
    return Loaded.RULES;
  }

  private static List<DefectRule> read() {
    URL here = Objects.requireNonNull(RuleFiles.class.getResource("RuleFiles.class"));
    try {
      if (!(here.openConnection() instanceof JarURLConnection jar)) {
        return read(Path.of(here.toURI()).resolveSibling(FOLDER));
      }
      var file = Path.of(jar.getJarFileURL().toURI());
      try (var files = FileSystems.newFileSystem(file, Map.of())) {
        return read(files.getPath(jar.getEntryName()).resolveSibling(FOLDER));
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static List<DefectRule> read(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ENDING)).toList().parallelStream()
          .map(
              file -> {
                var name = folder.relativize(file).toString().replace('\\', '/');
                try {
                  return RuleReader.read(
                      name.substring(0, name.length() - ENDING.length()), Files.readString(file));
                } catch (IOException unreadable) {
                  throw new UncheckedIOException(unreadable);
                }
              })
          .sorted(Comparator.comparing(DefectRule::id))
          .toList();
    }
  }
}
