package dev.flyball.walls;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is made for strangers fits what there is: image, catalogue and the launcher of Windows. */
class PackagingTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final SourceTree tree = SourceTree.ours();

  private String text(String name) {
    return SourceTree.read(tree.root().resolve(name));
  }

  @Test
  void the_image_is_built_from_what_the_archive_has_and_runs_as_nobody_special() {
    var image = text("Dockerfile");
    var assembly = text("dist/src/archive.xml");
    assertThat(text("dist/pom.xml")).contains("<finalName>flyball-${project.version}</finalName>");
    assertThat(image).contains("-Pdist", "dist/target/flyball-*.tar.gz", "--strip-components=1");
    // The launcher that is linked to is the one that the archive has.
    assertThat(image).contains("ln -s /opt/flyball/bin/flyball ");
    assertThat(assembly).contains("<include>flyball</include>", "<fileMode>0755</fileMode>");
    // The last user is not root, and is set before the command.
    assertThat(image.indexOf("\nUSER flyball"))
        .isPositive()
        .isLessThan(image.indexOf("ENTRYPOINT"));
    assertThat(image.lastIndexOf("\nUSER ")).isEqualTo(image.indexOf("\nUSER "));
    // Java of the build and of the image is one that the project is built for.
    var release = Pattern.compile("<maven.compiler.release>(\\d+)<").matcher(text("pom.xml"));
    assertThat(release.find()).isTrue();
    assertThat(image).contains("eclipse-temurin:" + release.group(1) + "-jre");
    for (var line : text(".dockerignore").lines().toList()) {
      assertThat(List.of("dist", "cli", "examples", "profiles", "prices")).doesNotContain(line);
    }
  }

  @Test
  void the_words_that_the_image_runs_are_those_of_the_command() throws IOException {
    var image = text("Dockerfile");
    var words =
        Pattern.compile("(?m)^CMD (\\[.*\\])$")
            .matcher(image)
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(words).hasSize(1);
    assertThat(JSON.readTree(words.getFirst()).get(0).asText()).isEqualTo("--help");
    var example = Pattern.compile("docker run --rm -it flyball (\\w+)").matcher(image);
    assertThat(example.find()).isTrue();
    assertThat(text("cli/src/main/resources/dev/flyball/cli/help.txt"))
        .contains("\n  " + example.group(1) + " ");
  }

  /** Runs the check of the image against a process and a port of ours. */
  private int health(Process command) throws IOException, InterruptedException {
    var check = Pattern.compile("HEALTHCHECK .*CMD \\[\"(.*)\"\\]").matcher(text("Dockerfile"));
    assertThat(check.find()).isTrue();
    assertThat(text("Dockerfile")).contains("COPY dist/src/healthy.sh " + check.group(1));
    var builder = new ProcessBuilder(tree.root().resolve("dist/src/healthy.sh").toString());
    builder.environment().put("PROCESS", Long.toString(command.pid()));
    return builder.redirectErrorStream(true).start().waitFor();
  }

  @Test
  void the_image_is_healthy_while_its_server_takes_requests_and_with_any_other_command()
      throws Exception {
    var status = new AtomicInteger(200);
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/readyz",
        exchange -> {
          exchange.sendResponseHeaders(status.get(), -1);
          exchange.close();
        });
    server.start();
    var port = Integer.toString(server.getAddress().getPort());
    var serve =
        new ProcessBuilder("bash", "-c", "sleep 60; true", "flyball", "serve", "--port", port)
            .start();
    var batch = new ProcessBuilder("bash", "-c", "sleep 60; true", "flyball", "batch").start();
    try {
      assertThat(health(serve)).isZero();
      status.set(503);
      assertThat(health(serve)).isEqualTo(1);
      server.stop(0);
      assertThat(health(serve)).isEqualTo(1);
      assertThat(health(batch)).isZero();
    } finally {
      for (var each : List.of(serve, batch)) {
        each.descendants().forEach(ProcessHandle::destroyForcibly);
        each.destroyForcibly();
      }
    }
  }

  @Test
  void the_catalogue_names_what_is_built_and_options_that_java_takes() throws Exception {
    var entry = JSON.readTree(text("jbang-catalog.json")).path("aliases").path("flyball");
    var version =
        Pattern.compile("<artifactId>flyball-parent</artifactId>\\s*<version>([^<]+)<")
            .matcher(text("cli/pom.xml"));
    assertThat(version.find()).isTrue();
    assertThat(entry.path("script-ref").asText())
        .isEqualTo("dev.flyball:flyball-cli:" + version.group(1));
    var main = entry.path("main").asText().replace('.', '/') + ".java";
    assertThat(tree.root().resolve("cli/src/main/java").resolve(main)).isRegularFile();

    var command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
    entry.path("runtime-options").forEach(option -> command.add(option.asText()));
    command.add("-version");
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  /**
   * Without a Windows here: that every block is closed, every jump has its mark, as cmd wants it.
   */
  @Test
  void the_launcher_of_windows_has_whole_blocks_and_the_options_of_the_other() throws IOException {
    var cmd = text("dist/src/bin/flyball.cmd");
    var lines = cmd.lines().toList();
    assertThat(lines.getFirst()).isEqualTo("@echo off");
    int open = 0;
    for (var line : lines) {
      if (!line.startsWith("rem ")) {
        var bare = line.replaceAll("\"[^\"]*\"", "");
        assertThat(bare).as("quotations are closed").doesNotContain("\"");
        open += count(bare, '(') - count(bare, ')');
        assertThat(open).isBetween(0, 1);
        // %X% is a variable and %~X an argument; a lone percent sign would be eaten.
        assertThat(line.replaceAll("%~dp0|%~1|%\\*|%[A-Z_]+%", "")).doesNotContain("%");
      }
    }
    assertThat(open).isZero();
    assertThat(cmd).contains("setlocal", "exit /b %ERRORLEVEL%").isASCII();
    // Inside of a block cmd puts values in before the block runs.
    var block = cmd.substring(cmd.indexOf("(\n"), cmd.indexOf("\n)"));
    assertThat(block).doesNotContain("%ERRORLEVEL%", "%JAVA%");
    var posix = text("dist/src/bin/flyball");
    for (var option :
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-Xlog:disable",
            "-Djdk.console=java.base",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "dev.flyball.cli.Main")) {
      assertThat(posix).contains(option);
      assertThat(cmd).contains(option);
    }
    // What it looks for is what a Java says of itself; an older one says another number.
    var looked = Pattern.compile("findstr /r \"([^\"]+)\"").matcher(cmd);
    assertThat(looked.find()).isTrue();
    var said = "java.base@" + System.getProperty("java.version");
    var alternatives = List.of(looked.group(1).split(" ", -1));
    assertThat(alternatives).anyMatch(each -> Pattern.compile(each).matcher(said).find());
    for (var older : List.of("java.base@17.0.15", "java.base@20", "java.base@11.0.2")) {
      assertThat(alternatives).noneMatch(each -> Pattern.compile(each).matcher(older).find());
    }
    assertThat(Files.readString(tree.root().resolve("dist/src/archive.xml")))
        .containsPattern("flyball\\.cmd</include>\\s*</includes>\\s*<lineEnding>dos<");
  }

  private static int count(String line, char sign) {
    return (int) line.chars().filter(each -> each == sign).count();
  }
}
