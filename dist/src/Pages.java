import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes what goes into {@code share/} of the archive: manual pages, completion and the schema of
 * {@code flyball.yaml}, each as the command prints it. The build runs it from source.
 */
final class Pages {
  private static final List<String> COMMANDS =
      List.of(
          "demo",
          "batch",
          "review",
          "estimate",
          "usage",
          "status",
          "lanes",
          "prices",
          "init",
          "config",
          "completion",
          "simulate");

  private Pages() {}

  public static void main(String[] args) throws Exception {
    var share = Path.of(args[0]);
    for (var command : COMMANDS) {
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
