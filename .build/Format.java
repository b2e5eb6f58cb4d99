import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks or applies google-java-format to every Java file of the tree, in one JVM. The build runs
 * it from source: {@code Format.java check|apply ROOT}.
 */
final class Format {
  private static final String FIX = "mvn -q -N verify -Dformat=apply";

  private Format() {}

  public static void main(String[] args) throws Exception {
    String mode = args[0];
    Path root = Path.of(args[1]).toRealPath();
    List<String> files = sources(root);
    switch (mode) {
      case "check" -> check(root, files);
      case "apply" -> apply(files);
      default -> fail("-Dformat is `check` or `apply`, not `" + mode + "`");
    }
  }

  private static void check(Path root, List<String> files) throws Exception {
    StringWriter changed = new StringWriter();
    if (format(changed, List.of("--dry-run", "--set-exit-if-changed"), files) == 0) {
      return;
    }
    StringBuilder message = new StringBuilder("Not formatted; `" + FIX + "` formats the tree:");
    changed
        .toString()
        .lines()
        .sorted()
        .forEach(file -> message.append("\n  ").append(root.relativize(Path.of(file))));
    fail(message.toString());
  }

  private static void apply(List<String> files) throws Exception {
    if (format(new StringWriter(), List.of("--replace"), files) != 0) {
      fail("Not formatted: the files above, which are not Java yet.");
    }
  }

  /** Writes the names of changed files to {@code out}, and syntax errors to the screen. */
  private static int format(StringWriter out, List<String> options, List<String> files)
      throws Exception {
    List<String> args = new ArrayList<>(options);
    args.addAll(files);
    PrintWriter names = new PrintWriter(out);
    PrintWriter errors = new PrintWriter(System.err, true);
    int code =
        new Main(names, errors, InputStream.nullInputStream()).format(args.toArray(String[]::new));
    names.flush();
    errors.flush();
    return code;
  }

  private static List<String> sources(Path root) throws IOException {
    List<String> found = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            String name = dir.getFileName().toString();
            return name.equals("target") || name.equals(".git")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              found.add(file.toString());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  private static void fail(String message) {
    System.err.println(message);
    System.exit(1);
  }
}
