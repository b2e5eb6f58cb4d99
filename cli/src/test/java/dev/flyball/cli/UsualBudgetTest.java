package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.flyball.simulator.setting.Answers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Large changes with everything as it usually is: what is required has its answers. */
final class UsualBudgetTest {
  private static final int THOUGHT = 6_000;
  private static final Pattern SHOWN = Pattern.compile("(?m)^=====\\S+ review (\\S+) lines");

  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void open() throws Exception {
    desk = new CommandDesk(folder.resolve("here"));
    desk.environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
    assertThat(desk.folder.toFile().mkdirs()).isTrue();
    desk.git("init", "-q");
    desk.put("README.md", "# A project\n");
    desk.commit("first");
  }

  @AfterEach
  void close() {
    desk.close();
  }

  private void file(String path, int lines, int salt) throws Exception {
    var text = new StringBuilder();
    for (int i = 0; i < lines; i += 6) {
      text.append("function work%d_%d(input, other) {\n".formatted(salt, i));
      text.append("  const list = input.filter((each) => each.size > %d);\n".formatted(i));
      text.append("  for (const each of list) {\n    other.push(each);\n  }\n");
      text.append("  return list.length ? list[0].name : null; }\n");
    }
    desk.put(path, text.toString());
  }

  private JsonNode review(String range, String address) throws IOException {
    var args = new ArrayList<>(List.of("review", "--diff", range, "--format", "json"));
    args.addAll(List.of("--base-url", address, "--no-history"));
    args.addAll(
        address.contains("/v1")
            ? List.of("--model", "some-thinker")
            : List.of("--model", "claude-sonnet-4-5", "--fast-model", "claude-haiku-4-5"));
    var screen = desk.flyball(args.toArray(String[]::new));
    assertThat(screen.exit()).as(screen.err()).isIn(0, 1);
    return CommandDesk.JSON.readTree(screen.out());
  }

  private void assertWhole(JsonNode review, int files) {
    var usage = review.path("usage");
    System.out.printf(
        "%d files, %s: %,d of %,d tokens, %d units%n",
        files,
        review.path("mode").asText(),
        usage.path("usedTokens").asLong(),
        usage.path("maxTokens").asLong(),
        usage.path("asked").asInt());
    assertThat(review.path("coverage").path("unanswered")).isEmpty();
    assertThat(review.path("coverage").path("reviewed").asInt()).isEqualTo(files);
    assertThat(usage.path("droppedLenses")).isEmpty();
    assertThat(usage.path("endedBy").asText()).isEqualTo("completion");
  }

  @Test
  void forty_files_of_thirty_lines() throws Exception {
    for (int i = 0; i < 40; i++) {
      file("src/p%d/f%02d.js".formatted(i / 8, i), 30, i);
    }
    desk.commit("forty");
    desk.provider(CommandDesk.quick().answers(Answers.reviewing()));
    assertWhole(review("HEAD", desk.simulator().uri().toString()), 40);
  }

  @Test
  void eight_files_of_2400_lines() throws Exception {
    for (int i = 0; i < 8; i++) {
      file("src/f%d.js".formatted(i), 2_400, i);
    }
    desk.commit("eight");
    desk.provider(CommandDesk.quick().answers(Answers.reviewing()));
    assertWhole(review("HEAD", desk.simulator().uri().toString()), 8);
  }

  @Test
  void a_hundred_and_six_files_in_32_commits() throws Exception {
    for (int i = 0; i < 106; i++) {
      file("src/p%d/f%03d.js".formatted(i / 10, i), 40 + i % 50, i);
      if (i % 106 * 32 / 106 != (i + 1) * 32 / 106) {
        desk.commit("part " + i);
      }
    }
    desk.provider(CommandDesk.quick().answers(Answers.reviewing()));
    assertWhole(review("HEAD~32..HEAD", desk.simulator().uri().toString()), 106);
  }

  /** A model that thinks before it answers, and is cut where it has no room for both. */
  @Test
  void a_model_that_thinks_for_six_thousand_tokens_first() throws Exception {
    for (int i = 0; i < 28; i++) {
      file("src/p%d/f%02d.js".formatted(i / 8, i), 30, i);
    }
    desk.commit("some");
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      server.setExecutor(threads);
      server.createContext("/", UsualBudgetTest::think);
      server.start();
      assertWhole(review("HEAD", "http://127.0.0.1:" + server.getAddress().getPort() + "/v1"), 28);
    } finally {
      server.stop(0);
    }
  }

  private static void think(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = CommandDesk.JSON.readTree(exchange.getRequestBody().readAllBytes());
      long most = body.path("max_tokens").asLong(body.path("max_completion_tokens").asLong(0));
      var said = body.at("/messages/1/content").asText();
      var answer = CommandDesk.JSON.createObjectNode();
      var reviewed = answer.putArray("reviewed");
      SHOWN.matcher(said).results().forEach(found -> reviewed.add(found.group(1)));
      answer.putArray("findings");
      answer.putArray("checked");
      answer.putArray("pairs");
      answer.putArray("needsMoreContext");
      long needs = THOUGHT + answer.toString().length() / 3L;
      boolean cut = most < needs;
      var reply = CommandDesk.JSON.createObjectNode().put("object", "chat.completion");
      var choice = reply.putArray("choices").addObject().put("index", 0);
      choice.put("finish_reason", cut ? "length" : "stop");
      choice
          .putObject("message")
          .put("role", "assistant")
          .put("content", cut ? "" : answer.toString());
      reply
          .putObject("usage")
          .put("prompt_tokens", said.length() / 4)
          .put("completion_tokens", Math.min(most, needs));
      var bytes = reply.toString().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("content-type", "application/json");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }
}
