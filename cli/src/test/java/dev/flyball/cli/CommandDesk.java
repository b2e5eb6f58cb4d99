package dev.flyball.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A user's folder with a provider beside it, and the commands that are given there. */
final class CommandDesk implements AutoCloseable {
  /** What a person at the terminal got. */
  record Screen(int exit, String out, String err) {}

  static final ObjectMapper JSON = new ObjectMapper();

  final Path folder;
  final Map<String, String> environment = new HashMap<>();
  private @Nullable Simulator simulator;

  CommandDesk(Path folder) {
    this.folder = folder;
    environment.put("XDG_STATE_HOME", beside(folder).toString());
    environment.put("XDG_CONFIG_HOME", folder.resolve("config").toAbsolutePath().toString());
  }

  private static Path beside(Path folder) {
    return folder.resolveSibling(folder.getFileName() + "-state");
  }

  /** What is kept between commands, beside the folder and not in it. */
  Path state() {
    return Path.of(environment.get("XDG_STATE_HOME")).resolve("flyball");
  }

  /** The folders of reviews in it, each with answers and progress. */
  List<Path> reviews() throws IOException {
    if (!Files.isDirectory(state().resolve("reviews"))) {
      return List.of();
    }
    try (var all = Files.walk(state().resolve("reviews"))) {
      return all.filter(file -> file.endsWith("progress.json")).map(Path::getParent).toList();
    }
  }

  /** A provider without limits that answers at once, unless something else is said. */
  static Settings quick() {
    return Settings.of("unlimited").latency(Latency.NONE).answers(Answers.echo());
  }

  CommandDesk provider(Settings settings) throws IOException {
    simulator = Simulator.start(settings, 0);
    return this;
  }

  /** Another one at the same address, as answers count only for that. */
  void providerAgain(Settings settings) throws IOException {
    int port = simulator().uri().getPort();
    simulator().close();
    simulator = Simulator.start(settings, port);
  }

  Simulator simulator() {
    if (simulator == null) {
      throw new IllegalStateException("there is no provider yet");
    }
    return simulator;
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  Path write(String name, String... lines) throws IOException {
    return Files.write(file(name), List.of(lines));
  }

  /** The user's own file of settings. */
  void user(String... lines) throws IOException {
    put("config/flyball/config.yaml", String.join("\n", lines) + "\n");
  }

  /** A file, in folders that need not be there yet. */
  void put(String path, String text) throws IOException {
    var file = file(path);
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, text);
  }

  void git(String... words) throws IOException, InterruptedException {
    git(folder, words);
  }

  /** What Git says in a folder, without the settings of this machine. */
  static String git(Path folder, String... words) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("git", "-c", "user.name=a", "-c", "user.email=a@b.c"));
    command.addAll(List.of(words));
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder
        .environment()
        .putAll(Map.of("GIT_CONFIG_GLOBAL", "/dev/null", "GIT_CONFIG_NOSYSTEM", "1"));
    var process = builder.start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", words) + ": " + said);
    }
    return said.strip();
  }

  /** All that is there. */
  void commit(String message) throws IOException, InterruptedException {
    git("add", "-A");
    git("commit", "-qm", message);
  }

  /** So many questions in the OpenAI batch format. */
  Path questions(int count) throws IOException {
    return write(
        "in.jsonl",
        IntStream.range(0, count)
            .mapToObj(i -> openAi("q" + i, "m", "say " + i))
            .toArray(String[]::new));
  }

  static String openAi(String id, String model, String text) {
    return """
    {"custom_id":"%s","method":"POST","url":"/v1/chat/completions","body":{"model":"%s","max_tokens":50,"messages":[{"role":"user","content":"%s"}]}}\
    """
        .formatted(id, model, text);
  }

  static String anthropic(String id, String model, String text) {
    return """
    {"custom_id":"%s","params":{"model":"%s","max_tokens":50,"messages":[{"role":"user","content":"%s"}]}}\
    """
        .formatted(id, model, text);
  }

  /** {@code flyball batch in.jsonl -o out.jsonl --base-url ...} and more. */
  Screen batch(String... more) {
    var args = new ArrayList<>(List.of("batch", file("in.jsonl").toString()));
    args.addAll(List.of("-o", file("out.jsonl").toString()));
    args.addAll(List.of("--base-url", simulator().uri().toString()));
    args.addAll(List.of(more));
    return flyball(args.toArray(String[]::new));
  }

  Screen flyball(String... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    int exit =
        Main.run(environment, folder, new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new Screen(exit, out.toString(), err.toString());
  }

  List<JsonNode> lines(String name) throws IOException {
    var all = new ArrayList<JsonNode>();
    for (var line : Files.readAllLines(file(name))) {
      all.add(JSON.readTree(line));
    }
    return all;
  }

  List<String> ids(String name) throws IOException {
    return lines(name).stream().map(line -> line.path("custom_id").asText()).sorted().toList();
  }

  static List<String> numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> "q" + i).sorted().toList();
  }

  /** What the provider's ledger says, by the ids of calls, of requests that it let in. */
  List<String> asked() throws IOException, InterruptedException {
    return ledger("admitted");
  }

  List<String> ledger(String what) throws IOException, InterruptedException {
    var found = new ArrayList<String>();
    var request = HttpRequest.newBuilder(URI.create(simulator().uri() + "/__sim/ledger")).build();
    try (var client = HttpClient.newHttpClient()) {
      var reply = client.send(request, HttpResponse.BodyHandlers.ofLines());
      for (var line : reply.body().toList()) {
        var entry = JSON.readTree(line);
        if (entry.path("what").asText().equals(what)) {
          found.add(entry.path("id").asText());
        }
      }
    }
    return found;
  }

  /** The command as a process of its own, which can be killed. */
  ProcessBuilder process(String... args) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command =
        Stream.of(
                hearingInterrupts(),
                Stream.of(
                    java,
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "dev.flyball.cli.Main"),
                Stream.of(args))
            .flatMap(each -> each)
            .toList();
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(file("screen.txt").toFile()));
    return builder;
  }

  /**
   * What a command begins with, so that it is stopped by Ctrl+C. A shell that starts something in
   * the background makes it, and all that comes of it, deaf to that: these tests as well, and what
   * they start.
   */
  private static Stream<String> hearingInterrupts() {
    var status = Path.of("/proc/self/status");
    try {
      return Files.exists(status)
              && Files.readAllLines(status).stream()
                  .filter(line -> line.startsWith("SigIgn:"))
                  .anyMatch(
                      line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0)
          ? Stream.of("env", "--default-signal=INT")
          : Stream.empty();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Override
  public void close() {
    if (simulator != null) {
      simulator.close();
    }
    try {
      if (Files.exists(beside(folder))) {
        try (var all = Files.walk(beside(folder))) {
          for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(each);
          }
        }
      }
    } catch (IOException busy) {
      throw new UncheckedIOException(busy);
    }
  }
}
