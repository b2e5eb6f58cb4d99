package dev.flyball.gateway.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the page, run as they stand there against a real server. */
final class DocumentedReviewsTest {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\n(.*?)^```$");

  @TempDir private Path folder;
  private Simulator simulator;
  private ServedReviews server;

  @BeforeEach
  void serve() throws IOException {
    simulator = Simulator.start(Settings.of("unlimited").answers(Answers.reviewing()), 0);
    server = ServedReviews.real(TaskSettings.USUAL, simulator.uri(), folder.resolve("state"));
  }

  @AfterEach
  void end() {
    server.close();
    simulator.close();
  }

  private static String page() throws IOException {
    var here = Path.of("docs/reviews-server.md");
    return Files.readString(Files.exists(here) ? here : Path.of("..").resolve(here));
  }

  private static List<String> blocks(String language) throws IOException {
    return BLOCK
        .matcher(page())
        .results()
        .filter(block -> block.group(1).equals(language))
        .map(block -> block.group(2))
        .toList();
  }

  private String run(String script, String... command) throws Exception {
    var file = Files.writeString(folder.resolve("script.mjs"), script.replace("8484", port()));
    var words = new ArrayList<>(Arrays.asList(command));
    words.add(file.toString());
    var out = folder.resolve("out").toFile();
    var process = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(out).start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("it ends by itself").isTrue();
    } finally {
      process.destroyForcibly();
    }
    var said = Files.readString(out.toPath());
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  private String port() {
    return String.valueOf(server.port());
  }

  @Test
  void curl_is_told_everything() throws Exception {
    var said = run(blocks("bash").getFirst(), "bash");
    assertThat(said)
        .contains("event: start\n", "event: finding\n", "event: unit\n")
        .contains("event: complete\n", "\"markdown\":", "event: done\n");
  }

  @Test
  void javascript_reads_the_stream() throws Exception {
    assertThat(run(blocks("javascript").get(0), "node").lines())
        .contains("done ")
        .anyMatch(line -> line.startsWith("complete "));
  }

  @Test
  void javascript_speaks_websocket() throws Exception {
    var said =
        run(blocks("javascript").get(1), "node", "--experimental-websocket", "--no-warnings");
    assertThat(said.lines())
        .startsWith("task:accepted ")
        .endsWith("done ")
        .anyMatch(line -> line.startsWith("complete "));
  }

  @Test
  void the_refusal_on_the_page_keeps_to_the_published_schema() throws Exception {
    JsonNode document;
    try (var in = ApiDocument.class.getResourceAsStream("openapi.json")) {
      document = ServedReviews.JSON.readTree(in);
    }
    var schema = ServedReviews.JSON.createObjectNode();
    schema.put("$ref", "#/components/schemas/Failure");
    schema.set("components", document.path("components"));
    assertThat(
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(schema.toString(), InputFormat.JSON)
                .validate(blocks("json").getFirst(), InputFormat.JSON))
        .isEmpty();
  }

  @Test
  void every_reason_is_on_the_page() throws Exception {
    for (var reason : TaskReason.values()) {
      assertThat(page()).contains("| `" + reason.name() + "` |");
    }
  }
}
