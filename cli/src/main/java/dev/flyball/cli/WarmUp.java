package dev.flyball.cli;

import dev.flyball.run.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code flyball warm-up}: uses most of what the other commands use, so that the launcher can keep
 * these classes in the form in which the JVM has them in memory.
 */
@Command(name = "warm-up", hidden = true, description = "For the launcher.")
final class WarmUp implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    var folder = Files.createTempDirectory("flyball-warm-up");
    try {
      var code = Files.createDirectory(folder.resolve("code"));
      Files.writeString(code.resolve("A.java"), "class A {\n  int a() {\n    return 1;\n  }\n}\n");
      Files.writeString(code.resolve("b.py"), "def b(x=[]):\n    return x\n");
      var input = folder.resolve("in.jsonl");
      Files.write(
          input,
          List.of(
              "{\"custom_id\":\"a\",\"params\":{\"model\":\"claude-sonnet-5\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}}"));
      var output = folder.resolve("out.jsonl").toString();
      run(folder, "batch", "--help");
      run(
          folder,
          "batch",
          input.toString(),
          "--provider=simulated",
          "--profile=unlimited",
          "-o",
          output);
      run(folder, "estimate", input.toString(), "--provider=simulated");
      run(folder, "review", code.toString());
      run(folder, "review", "--plan", code.toString());
      run(folder, "usage", "--simulated");
      run(folder, "lanes");
      run(folder, "prices", "sonnet");
    } finally {
      try (var all = Files.walk(folder)) {
        for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(each);
        }
      }
    }
    return ExitCode.DONE.code();
  }

  private static void run(Path folder, String... args) {
    var environment =
        Map.of(
            "XDG_STATE_HOME", folder.resolve("state").toString(),
            "XDG_CONFIG_HOME", folder.resolve("config").toString());
    var nobody = new PrintWriter(Writer.nullWriter());
    Main.run(environment, folder, nobody, nobody, args);
  }
}
