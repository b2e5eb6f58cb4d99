package dev.flyball.review.symbol;

import dev.flyball.review.symbol.Covered.Damaged;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The coverage reports below a folder. They are looked for at the places where build tools put
 * them, in the folder and in those that are up to four levels below it, links not followed.
 */
final class Reports {
  private static final int DEEPEST = 4;
  private static final int MOST_FOLDERS = 20_000;
  private static final int MOST_REPORTS = 500;
  private static final long LARGEST = 1L << 29;

  private static final List<String> JACOCO =
      List.of(
          "target/site/jacoco/jacoco.xml",
          "target/site/jacoco-it/jacoco.xml",
          "target/site/jacoco-aggregate/jacoco.xml");
  private static final String JACOCO_OF_GRADLE = "build/reports/jacoco";
  private static final List<String> LCOV = List.of("coverage/lcov.info", "lcov.info");
  private static final List<String> ISTANBUL = List.of("coverage/coverage-final.json");

  /** Where the reports of all modules may be, each in a folder that is named as its module. */
  private static final String GATHERED = "coverage/";

  /** Reports of these are of more than the module that they are in. */
  private static final List<String> OF_ALL = List.of("aggregate", "codecoveragereport");

  private static final Set<String> PASSED_OVER =
      Set.of(
          "node_modules", "bower_components", "vendor", "venv", "target", "build", "dist", "out");

  private enum Format {
    JACOCO,
    LCOV,
    ISTANBUL
  }

  /**
   * One of them.
   *
   * @param module the folder that it is for, empty or with a slash at the end
   */
  private record Report(Path file, String module, Format format) {}

  private final Path root;
  private final Map<Path, Report> reports = new LinkedHashMap<>();
  private int folders;

  Reports(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  /** Empty if there is none. */
  Optional<Covered> read() {
    visit(root, 0);
    if (reports.isEmpty()) {
      return Optional.empty();
    }
    var files = new Named();
    var unread = new ArrayList<String>();
    for (var report : reports.values()) {
      try {
        add(report, files);
      } catch (Damaged damaged) {
        unread.add(damaged.getMessage());
      } catch (IOException broken) {
        unread.add(name(report.file) + ": cannot be read: " + broken.getMessage());
      }
    }
    return Optional.of(new Covered(files, unread));
  }

  private void visit(Path folder, int depth) {
    if (++folders > MOST_FOLDERS) {
      return;
    }
    JACOCO.forEach(place -> look(folder, folder.resolve(place), Format.JACOCO));
    list(folder.resolve(JACOCO_OF_GRADLE), 2, path -> path.toString().endsWith(".xml"))
        .forEach(file -> look(folder, file, Format.JACOCO));
    LCOV.forEach(place -> look(folder, folder.resolve(place), Format.LCOV));
    ISTANBUL.forEach(place -> look(folder, folder.resolve(place), Format.ISTANBUL));
    if (depth < DEEPEST) {
      list(folder, 1, Reports::isOpen).forEach(below -> visit(below, depth + 1));
    }
  }

  private void look(Path folder, Path file, Format format) {
    if (reports.size() < MOST_REPORTS && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      boolean all = OF_ALL.stream().anyMatch(name(file).toLowerCase(Locale.ROOT)::contains);
      var module = all || folder.equals(root) ? "" : name(folder) + "/";
      if (module.startsWith(GATHERED)) {
        module = module.substring(GATHERED.length());
      }
      reports.putIfAbsent(file, new Report(file, module, format));
    }
  }

  private static List<Path> list(Path folder, int depth, Predicate<Path> wanted) {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (var all = Files.walk(folder, depth)) {
      return all.filter(path -> !path.equals(folder) && wanted.test(path))
          .limit(MOST_FOLDERS)
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException unreadable) {
      return List.of();
    }
  }

  private static boolean isOpen(Path folder) {
    var name = String.valueOf(folder.getFileName());
    return !name.startsWith(".")
        && !PASSED_OVER.contains(name)
        && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
  }

  private void add(Report report, Named files) throws IOException, Damaged {
    var name = name(report.file);
    if (!report.file.toRealPath().startsWith(root.toRealPath())) {
      throw new Damaged(name, "a report is in the repository, but a link leads out of it");
    }
    if (Files.size(report.file) > LARGEST) {
      throw new Damaged(name, "a report has up to " + LARGEST + " bytes, but this has more");
    }
    try (var in = Files.newInputStream(report.file, LinkOption.NOFOLLOW_LINKS)) {
      var marks = read(report.format, in, name);
      var module = marks.grouped() ? "" : report.module;
      marks.doubtful().forEach(file -> files.doubt(module, file));
      for (var file : marks.lines().entrySet()) {
        var path = report.format == Format.JACOCO ? "" : path(module, file.getKey());
        if (path.isEmpty()) {
          files.add(module, file.getKey(), file.getValue());
        } else {
          files.add(path, file.getValue());
        }
      }
    }
  }

  private static Marks read(Format format, InputStream in, String name) throws Damaged {
    return switch (format) {
      case JACOCO -> JacocoReport.read(in, name);
      case LCOV -> LcovReport.read(in, name);
      case ISTANBUL -> IstanbulReport.read(in, name);
    };
  }

  /** Where a file of a report is in the repository; empty if it is not where the report says. */
  private String path(String module, String file) {
    var here = root.toString().replace('\\', '/') + "/";
    if (file.startsWith(here)) {
      return file.substring(here.length());
    }
    try {
      if (file.startsWith("/")) {
        return "";
      }
      return Files.exists(root.resolve(module + file))
          ? module + file
          : Files.exists(root.resolve(file)) ? file : "";
    } catch (InvalidPathException impossible) {
      return "";
    }
  }

  private String name(Path path) {
    return root.relativize(path).toString().replace('\\', '/');
  }
}
