package dev.flyball.walls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The sources of all modules that the root's {@code pom.xml} names. */
record SourceTree(Path root) {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  /** Found from where the test runs: the folder of a module, or the root itself. */
  static SourceTree ours() {
    Path folder = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    while (folder.getParent() != null && Files.exists(folder.getParent().resolve("pom.xml"))) {
      folder = folder.getParent();
    }
    return new SourceTree(folder);
  }

  /** Those that have sources: versions and archives have none. */
  List<String> modules() {
    return MODULE
        .matcher(read(root.resolve("pom.xml")))
        .results()
        .map(found -> found.group(1))
        .filter(module -> Files.isDirectory(sources(module)))
        .toList();
  }

  /** Every Java file that ships. */
  List<Path> files() {
    return modules().stream().map(this::sources).flatMap(SourceTree::below).sorted().toList();
  }

  Optional<String> moduleOf(String packageName) {
    String folder = packageName.replace('.', '/');
    return modules().stream()
        .filter(module -> Files.isDirectory(sources(module).resolve(folder)))
        .findFirst();
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path sources(String module) {
    return root.resolve(module).resolve("src/main/java");
  }

  private static Stream<Path> below(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
