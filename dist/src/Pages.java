import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Writes what goes into {@code share/} of the archive: manual pages, completion and the schema of
 * {@code flyball.yaml}, each as the command prints it. The build runs it from source.
 */
final class Pages {
  private static final Pattern LISTED = Pattern.compile("(?m)^  ([a-z]+)  +[A-Z]");

  private Pages() {}

  public static void main(String[] args) throws Exception {
    var share = Path.of(args[0]);
    var help = share.resolveSibling("help.txt");
    write(help, "--help");
    var commands = LISTED.matcher(Files.readString(help)).results().map(it -> it.group(1)).toList();
    if (commands.isEmpty()) {
      throw new IllegalStateException("the help lists no command");
    }
    for (var command : commands) {
      write(share.resolve("man/man1/flyball-" + command + ".1"), "help", "--man", command);
    }
    write(share.resolve("completion/flyball.bash"), "completion", "bash");
    write(share.resolve("completion/_flyball"), "completion", "zsh");
    write(share.resolve("completion/flyball.fish"), "completion", "fish");
    write(share.resolve("flyball.schema.json"), "config", "--schema");
  }

  /** In a process of its own, because the command ends its process. */
  private static void write(Path file, String... words) throws IOException, InterruptedException {
    Files.createDirectories(file.getParent());
    var command = new java.util.ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.flyball.cli.Main"));
    command.addAll(List.of(words));
    var process =
        new ProcessBuilder(command)
            .redirectOutput(file.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.waitFor() != 0) {
      new PrintStream(System.err, true, StandardCharsets.UTF_8)
          .println("flyball " + String.join(" ", words) + " failed");
      System.exit(1);
    }
  }
}
