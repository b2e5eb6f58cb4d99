package dev.flyball.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the README and the library page show is compiled, runs, and prints what stands below it. */
class LibraryExamplesTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("```java\n(.*?class (\\w+).*?)```\n+```\n(.*?)```", Pattern.DOTALL);

  record Example(String name, String source, String prints) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Example> examples() throws IOException {
    return Stream.of("README.md", "docs/library.md")
        .flatMap(page -> EXAMPLE.matcher(read(page)).results())
        .map(found -> new Example(found.group(2), found.group(1), found.group(3)))
        .filter(
            example ->
                example.source().contains("dev.flyball.client")
                    || example.source().contains("dev.flyball.llm"))
        .toList();
  }

  private static String read(String page) {
    try {
      return Files.readString(Path.of("..").resolve(page));
    } catch (IOException missing) {
      throw new java.io.UncheckedIOException(missing);
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void an_example_prints_what_stands_below_it(Example example, @TempDir Path folder)
      throws Exception {
    var source = Files.writeString(folder.resolve(example.name() + ".java"), example.source());
    var classPath = System.getProperty("java.class.path");
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(
            compiler.run(
                null, null, null, "-d", folder.toString(), "-cp", classPath, source.toString()))
        .as("compiles")
        .isZero();
    var answers =
        Files.writeString(folder.resolve("a.jsonl"), "{\"pattern\":\".\",\"answer\":\"Hello!\"}\n");
    var settings =
        Settings.of("unlimited").latency(Latency.NONE).answers(Answers.parse(answers.toString()));
    try (var simulator = Simulator.start(settings, 0)) {
      var builder =
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:TieredStopAtLevel=1",
              "-Dprovider.url=" + simulator.uri(),
              "-Dprovider.key=k",
              "-cp",
              folder + System.getProperty("path.separator") + classPath,
              example.name());
      builder.redirectErrorStream(true);
      for (var name : List.of("ANTHROPIC", "OPENAI")) {
        builder.environment().put(name + "_API_KEY", "k");
        builder.environment().put(name + "_BASE_URL", simulator.uri().toString());
      }
      var process = builder.start();
      process.getOutputStream().close();
      var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(printed).isEqualTo(example.prints());
      assertThat(process.waitFor()).isZero();
    }
  }
}
