package dev.flyball.cli;

import dev.flyball.run.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;

/**
 * {@code flyball warm-up}: uses most of what the other commands use, so that the launcher can keep
 * these classes in the form in which the JVM has them in memory.
 */
@Command(name = "warm-up", hidden = true, description = "For the launcher.")
final class WarmUp implements Callable<Integer> {
  private static final int MOST_SECONDS = 20;
  private static final String CHAT =
      "{\"model\":\"gpt-5.4\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}";

  @Override
  public Integer call() throws IOException, InterruptedException {
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
      serve(folder);
    } finally {
      try (var all = Files.walk(folder)) {
        for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(each);
        }
      }
    }
    return ExitCode.DONE.code();
  }

  /** A server, and what its first clients ask of it. */
  private static void serve(Path folder) throws IOException, InterruptedException {
    var said = new AwaitedAddress();
    var server =
        Thread.ofPlatform()
            .start(
                () ->
                    run(
                        folder,
                        new PrintWriter(said),
                        "serve",
                        "--provider=simulated",
                        "--profile=unlimited",
                        "--port=0"));
    try {
      var address = said.address.get(MOST_SECONDS, TimeUnit.SECONDS);
      ask(address.resolve("/v1/chat/completions"), CHAT);
      ask(address.resolve("/v1/chat/completions"), CHAT.replace("{", "{\"stream\":true,"));
      ask(address.resolve("/v1/messages"), CHAT);
    } catch (ExecutionException | TimeoutException never) {
      throw new IOException("the server did not begin", never);
    } finally {
      server.interrupt();
      server.join();
    }
  }

  /** What a server prints, which has its address. */
  private static final class AwaitedAddress extends StringWriter {
    private static final Pattern LISTENING = Pattern.compile("listening on (\\S+)\\s");
    private final CompletableFuture<URI> address = new CompletableFuture<>();

    @Override
    public void flush() {
      var found = LISTENING.matcher(toString());
      if (found.find()) {
        address.complete(URI.create(found.group(1)));
      }
    }
  }

  private static void ask(URI address, String body) throws IOException {
    var connection = (HttpURLConnection) address.toURL().openConnection();
    connection.setDoOutput(true);
    connection.setRequestProperty("content-type", "application/json");
    connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    try (var answer = connection.getInputStream()) {
      answer.readAllBytes();
    }
  }

  private static void run(Path folder, String... args) {
    run(folder, new PrintWriter(Writer.nullWriter()), args);
  }

  private static void run(Path folder, PrintWriter out, String... args) {
    var environment =
        Map.of(
            "XDG_STATE_HOME", folder.resolve("state").toString(),
            "XDG_CONFIG_HOME", folder.resolve("config").toString());
    Main.run(environment, folder, out, new PrintWriter(Writer.nullWriter()), args);
  }
}
