package dev.flyball.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The official clients of Node, unchanged. They are installed from npm, if that can be reached. */
@Timeout(300)
final class NodeSdksTest {
  private static final Path FOLDER = Path.of("target", "node-sdks");
  private static final List<String> FILES = List.of("package.json", "sdks.mjs");

  @Test
  void the_clients_of_node_work_unchanged() throws Exception {
    var missing = install();
    if (!missing.isEmpty()) {
      System.err.println("SKIPPED: the official clients of Node were not tried: " + missing);
    }
    assumeTrue(missing.isEmpty(), missing);
    var account =
        Settings.of("unlimited")
            .latency(Latency.parse("50ms"))
            .limit("requests=1200/min")
            .burst("requests=10");
    try (var running = RunningGateway.before(account)) {
      var node =
          new ProcessBuilder("node", "sdks.mjs", "http://127.0.0.1:" + running.gateway.port())
              .directory(FOLDER.toFile())
              .redirectError(FOLDER.resolve("errors.txt").toFile())
              .start();
      var said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(node.waitFor()).as(said + Files.readString(FOLDER.resolve("errors.txt"))).isZero();
      var seen = new JsonObject(said).getMap();
      assertThat(seen)
          .containsAllEntriesOf(
              Map.of(
                  "message", "Hello there",
                  "streamedMessage", "Hello there",
                  "chat", "Hello there",
                  "streamedChat", "Hello there",
                  "response", "Hello there",
                  "attempts", "1",
                  "embedded", 1,
                  "kinds", List.of("answered", "refused"),
                  "anthropicKinds", List.of("answered", "refused")));
      assertThat((Integer) seen.get("counted")).isPositive();
    }
  }

  /** Installs them; returns why they are not there, or nothing. */
  private static String install() throws IOException, InterruptedException {
    if (!runs(List.of("node", "--version")) || !runs(List.of("npm", "--version"))) {
      return "there is no node or no npm here";
    }
    Files.createDirectories(FOLDER);
    var wanted = resource("package.json");
    var done = FOLDER.resolve("installed.json");
    for (var file : FILES) {
      Files.writeString(FOLDER.resolve(file), resource(file));
    }
    if (Files.exists(done) && Files.readString(done).equals(wanted)) {
      return "";
    }
    boolean there =
        runs(
            List.of(
                "npm",
                "install",
                "--no-audit",
                "--no-fund",
                "--no-package-lock",
                "--ignore-scripts"));
    if (there) {
      Files.writeString(done, wanted);
    }
    return there ? "" : "npm could not install them";
  }

  private static String resource(String name) throws IOException {
    try (var in = NodeSdksTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static boolean runs(List<String> command) throws InterruptedException {
    try {
      var process =
          new ProcessBuilder(command)
              .directory(Files.isDirectory(FOLDER) ? FOLDER.toFile() : null)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      boolean ended = process.waitFor(3, TimeUnit.MINUTES);
      process.destroyForcibly();
      return ended && process.exitValue() == 0;
    } catch (IOException none) {
      return false;
    }
  }
}
