package dev.flyball.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every sentence that the product can say, by the file and line it is in: messages, help and
 * headings out of the literals of the sources, and what rules, lenses, pages and launchers say. For
 * somebody who reads them all in one sitting.
 */
final class Sentences {
  private static final Pattern BLOCK = Pattern.compile("(?s)\"\"\"\n(.*?)\"\"\"");
  private static final Pattern LITERALS =
      Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\\n]|\\\\.)*\")*");
  private static final Pattern SEAM = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern SENTENCE = Pattern.compile("[A-Za-z]{2,}[,:;]? [a-z`'(%$]");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)^\\s*//.*$");
  private static final Pattern SCRIPT_TEXT =
      Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`(?:[^`\\\\]|\\\\.)*`");
  private static final Pattern PAGE_TEXT = Pattern.compile(">\\s*([^<>]{2,}?)\\s*<");
  private static final Pattern RULE_TEXT =
      Pattern.compile("(?m)^\\s*(?:- )?(?:title|message|why|fix|question|look-for|name): (.+)$");
  private static final Pattern LAUNCHER_TEXT =
      Pattern.compile("(?m)(?:printf|echo|die|waiting=|why=|at=).*?(['\"].*|flyball: .*)$");
  private static final List<String> LAUNCHERS =
      List.of("flyball", ".build/launch.sh", "dist/src/bin/flyball", "dist/src/bin/flyball.cmd");

  private Sentences() {}

  static Optional<BenchReport> run(String[] args) throws IOException {
    all(Path.of(System.getProperty("flyball.house", "."))).forEach(System.out::println);
    return Optional.empty();
  }

  /** Each as {@code file:line: words}. */
  static List<String> all(Path house) throws IOException {
    var found = new ArrayList<String>();
    try (var modules = Files.list(house)) {
      for (var module : modules.sorted().toList()) {
        var sources = module.resolve("src/main");
        if (Files.isDirectory(sources) && !module.endsWith("bench")) {
          list(house, sources, found);
        }
      }
    }
    for (var name : LAUNCHERS) {
      matches(house, house.resolve(name), LAUNCHER_TEXT, text -> true, found);
    }
    return found;
  }

  private static void list(Path house, Path sources, List<String> found) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
        var name = String.valueOf(file.getFileName());
        if (name.endsWith(".java")) {
          matches(house, file, BLOCK, SENTENCE.asPredicate(), found);
          matches(house, file, LITERALS, SENTENCE.asPredicate(), found);
        } else if (name.endsWith(".js") && !name.startsWith("uplot")) {
          matches(house, file, SCRIPT_TEXT, SENTENCE.asPredicate(), found);
        } else if (name.endsWith(".html")) {
          matches(house, file, PAGE_TEXT, text -> true, found);
        } else if (name.endsWith(".yaml") && !name.endsWith("init.yaml")) {
          matches(house, file, RULE_TEXT, text -> true, found);
        } else if (name.endsWith(".md") || name.endsWith(".txt") || name.endsWith("init.yaml")) {
          lines(house, file, found);
        }
      }
    }
  }

  private static void lines(Path house, Path file, List<String> found) throws IOException {
    var lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      if (SENTENCE.matcher(lines.get(i)).find()) {
        found.add(house.relativize(file) + ":" + (i + 1) + ": " + lines.get(i).strip());
      }
    }
  }

  private static void matches(
      Path house, Path file, Pattern pattern, Predicate<String> said, List<String> found)
      throws IOException {
    boolean java = file.toString().endsWith(".java");
    var text = java ? blanked(Files.readString(file), pattern) : Files.readString(file);
    var each = pattern.matcher(text);
    while (each.find()) {
      var words = each.groupCount() > 0 ? each.group(1).strip() : each.group();
      words = SEAM.matcher(words).replaceAll("");
      if (said.test(words)) {
        long line = 1 + text.substring(0, each.start()).chars().filter(c -> c == '\n').count();
        found.add(house.relativize(file) + ":" + line + ": " + words);
      }
    }
  }

  /** Without comments, and without text blocks where those are not looked for; as many lines. */
  private static String blanked(String source, Pattern pattern) {
    var code = COMMENT.matcher(source).replaceAll(each -> lines(each.group()));
    return pattern.equals(BLOCK)
        ? code
        : BLOCK.matcher(code).replaceAll(each -> lines(each.group()));
  }

  private static String lines(String text) {
    return text.replaceAll("[^\n]", "");
  }
}
