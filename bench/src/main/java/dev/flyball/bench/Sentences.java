package dev.flyball.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every sentence that the product can say, by the file it is in: messages, help and headings, taken
 * from the literals of the sources. For somebody who reads them all in one sitting.
 */
final class Sentences {
  private static final Pattern LITERALS =
      Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\\n]|\\\\.)*\")*");
  private static final Pattern SEAM = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern SENTENCE = Pattern.compile("[A-Za-z]{2,}[,:;]? [a-z`'(%$]");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)^\\s*//.*$");

  private Sentences() {}

  static Optional<BenchReport> run(String[] args) throws IOException {
    var house = Path.of(System.getProperty("flyball.house", "."));
    try (var modules = Files.list(house)) {
      for (var module : modules.sorted().toList()) {
        var sources = module.resolve("src/main");
        if (Files.isDirectory(sources) && !module.endsWith("bench")) {
          list(house, sources);
        }
      }
    }
    return Optional.empty();
  }

  private static void list(Path house, Path sources) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      for (var file : files.filter(each -> each.toString().endsWith(".java")).sorted().toList()) {
        var text = blanked(Files.readString(file));
        var found = LITERALS.matcher(text);
        while (found.find()) {
          var said = SEAM.matcher(found.group()).replaceAll("");
          if (SENTENCE.matcher(said).find()) {
            long line = 1 + text.substring(0, found.start()).chars().filter(c -> c == '\n').count();
            System.out.println(house.relativize(file) + ":" + line + ": " + said);
          }
        }
      }
    }
  }

  /** Without comments, and with as many lines. */
  private static String blanked(String source) {
    return COMMENT.matcher(source).replaceAll(each -> each.group().replaceAll("[^\n]", ""));
  }
}
