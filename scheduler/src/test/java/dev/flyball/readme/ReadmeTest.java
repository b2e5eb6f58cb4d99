package dev.flyball.readme;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each Java example of the library page that needs the scheduler alone is compiled and run, and
 * prints what stands below it.
 */
class ReadmeTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("```java\n(.*?class (\\w+).*?)```\n+```\n(.*?)```", Pattern.DOTALL);

  record Example(String name, String source, String prints) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Example> examples() throws IOException {
    var readme = Files.readString(Path.of("..", "docs", "library.md"));
    return EXAMPLE
        .matcher(readme)
        .results()
        .map(m -> new Example(m.group(2), m.group(1), m.group(3)))
        .filter(
            example ->
                !example.source().contains("import dev.flyball.client")
                    && !example.source().contains("import dev.flyball.llm"));
  }

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("examples")
  void an_example_prints_what_stands_below_it(Example example) throws Exception {
    var source = Files.writeString(folder.resolve(example.name() + ".java"), example.source());
    var compiler = ToolProvider.getSystemJavaCompiler();
    var classPath = System.getProperty("java.class.path");
    assertThat(
            compiler.run(
                null, null, null, "-d", folder.toString(), "-cp", classPath, source.toString()))
        .as("compiles")
        .isZero();
    var printed = new ByteArrayOutputStream();
    var out = System.out;
    var provider = smallProvider();
    try (var loader = URLClassLoader.newInstance(new java.net.URL[] {folder.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      var main = loader.loadClass(example.name()).getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(out);
      provider.stop(0);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo(example.prints());
  }

  /** Answers on loopback, and turns every tenth request away once. */
  private static HttpServer smallProvider() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var count = new AtomicInteger();
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().add("x-limit", "6000");
          exchange.getResponseHeaders().add("x-remaining", "5000");
          boolean away = count.incrementAndGet() % 10 == 0;
          byte[] answer = "an answer".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(away ? 429 : 200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    System.setProperty("acme.url", "http://127.0.0.1:" + server.getAddress().getPort() + "/");
    return server;
  }
}
