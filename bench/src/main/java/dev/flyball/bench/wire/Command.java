package dev.flyball.bench.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The {@code flyball} command as people run it: a process of its own, here in a folder of its own,
 * with nothing configured and nothing remembered.
 */
public final class Command {
  private static final String LAUNCHER =
      Path.of(System.getProperty("flyball.house", ""), "flyball").toAbsolutePath().toString();

  private final Path folder;

  public Command(Path folder) {
    this.folder = folder;
  }

  /** Lets the launcher build whatever it must, so that no run is charged for it. */
  public static void ready(Path folder) throws IOException, InterruptedException {
    var command = new Command(folder);
    if (command.start(Map.of(), "--version").waitFor() != 0) {
      throw new IOException("the command does not start: " + command.said());
    }
  }

  /** Starts it; what it says goes to a file in its folder. */
  public Process start(Map<String, String> variables, String... arguments) throws IOException {
    var words = new ArrayList<String>();
    words.add(LAUNCHER);
    words.addAll(List.of(arguments));
    var builder =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(screen().toFile());
    var environment = builder.environment();
    environment
        .keySet()
        .removeIf(
            name ->
                name.startsWith("FLYBALL_")
                    || name.endsWith("_API_KEY")
                    || name.endsWith("_BASE_URL"));
    environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
    environment.put("OPENAI_API_KEY", "sk-wire");
    environment.put("ANTHROPIC_API_KEY", "sk-wire");
    environment.putAll(variables);
    return builder.start();
  }

  Path screen() {
    return folder.resolve("screen.txt");
  }

  /** What it has said so far. */
  public String said() throws IOException {
    return Files.readString(screen());
  }
}
