package dev.flyball.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the models say. */
final class AnswersTest {
  private static final String HELLO = Http.prompt("claude-sonnet-4-5", 100, "Hello there");

  @Test
  void answers_are_scripted_by_id_and_by_pattern(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("answers.jsonl");
    Files.writeString(
        file,
        """
        {"id": "seven", "answer": "by id"}
        {"pattern": "(?i)hello", "answer": {"by": "pattern"}}
        """);
    Settings settings = Settings.of("unlimited").answers(Answers.parse(file.toString()));
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);

      assertThat(http.message(HELLO, "x-sim-id", "seven").text()).contains("by id");
      assertThat(http.message(HELLO).json().at("/content/0/text").asText())
          .isEqualTo("{\"by\":\"pattern\"}");
      assertThat(http.message(HELLO.replace("Hello", "Good day")).text()).contains("Good day");
    }
  }

  @Test
  void answers_are_scripted_by_what_was_said_before(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("answers.jsonl");
    Files.writeString(
        file,
        """
        {"system": "poet", "answer": "in verse"}
        {"pattern": "Hello", "answer": "in prose"}
        """);
    Settings settings = Settings.of("unlimited").answers(Answers.parse(file.toString()));
    try (Simulator simulator = Simulator.start(settings, 0)) {
      Http http = new Http(simulator);
      String asPoet = HELLO.replaceFirst("\\{", "{\"system\": \"You are a poet.\", ");
      assertThat(http.message(asPoet).text()).contains("in verse");
      assertThat(http.message(HELLO).text()).contains("in prose");
    }
  }

  @Test
  void lorem_depends_on_the_seed_and_the_prompt_alone() throws Exception {
    Settings settings = Settings.of("unlimited").answers(Answers.lorem()).seed(5);
    try (Simulator simulator = Simulator.start(settings, 0);
        Simulator twin =
            Simulator.start(Settings.of("unlimited").answers(Answers.lorem()).seed(5), 0)) {
      Http http = new Http(simulator);
      String first = http.message(HELLO).json().path("content").toString();

      assertThat(http.message(HELLO).json().path("content").toString()).isEqualTo(first);
      assertThat(new Http(twin).message(HELLO).json().path("content").toString()).isEqualTo(first);
      assertThat(http.message(HELLO.replace("Hello", "Hi")).json().path("content").toString())
          .isNotEqualTo(first);
    }
  }

  private static final String REPORT = "{\"found\": [1, 2], \"note\": \"a \\\"b\\\" c\"}";

  private static Simulator scripted(Path folder) throws Exception {
    Path file = folder.resolve("answers.jsonl");
    Files.writeString(file, "{\"pattern\": \"Hello\", \"answer\": " + REPORT + "}");
    return Simulator.start(Settings.of("unlimited").answers(Answers.parse(file.toString())), 0);
  }

  private static String with(String body, String more) {
    return body.replaceFirst("\\{", java.util.regex.Matcher.quoteReplacement("{" + more + ","));
  }

  private static final String TOOLS =
      "\"tools\":[{\"name\":\"report\",\"input_schema\":{}}],\"tool_choice\":";

  private static final String NAMED = "{\"type\":\"tool\",\"name\":\"report\"}";

  @Test
  void a_tool_that_must_be_used_gets_the_scripted_object(@TempDir Path folder) throws Exception {
    try (Simulator simulator = scripted(folder)) {
      Http http = new Http(simulator);
      for (String choice : List.of(NAMED, "{\"type\":\"any\"}")) {
        JsonNode reply = http.message(with(HELLO, TOOLS + choice)).json();

        assertThat(reply.path("stop_reason").asText()).isEqualTo("tool_use");
        assertThat(reply.at("/content/0/type").asText()).isEqualTo("tool_use");
        assertThat(reply.at("/content/0/id").asText()).startsWith("toolu_");
        assertThat(reply.at("/content/0/name").asText()).isEqualTo("report");
        assertThat(reply.at("/content/0/input")).isEqualTo(Http.json(REPORT));
      }
      JsonNode free = http.message(with(HELLO, TOOLS + "{\"type\":\"auto\"}")).json();
      assertThat(free.at("/content/0/type").asText()).isEqualTo("text");
      JsonNode words = http.message(with(HELLO.replace("Hello", "Bye"), TOOLS + NAMED)).json();
      assertThat(words.at("/content/0/type").asText()).isEqualTo("text");
    }
  }

  @Test
  void its_input_is_streamed_as_parts_of_json(@TempDir Path folder) throws Exception {
    try (Simulator simulator = scripted(folder)) {
      Http.Reply reply = new Http(simulator).message(Http.stream(with(HELLO, TOOLS + NAMED)));

      StringBuilder input = new StringBuilder();
      StringBuilder types = new StringBuilder();
      reply
          .text()
          .lines()
          .filter(line -> line.startsWith("data: "))
          .map(line -> Http.json(line.substring(6)))
          .forEach(
              event -> {
                input.append(event.at("/delta/partial_json").asText());
                types.append(event.at("/content_block/type").asText());
                types.append(event.at("/delta/stop_reason").asText());
              });
      assertThat(Http.json(input.toString())).isEqualTo(Http.json(REPORT));
      assertThat(types).hasToString("tool_usetool_use");
    }
  }

  private static final String FUNCTION =
      "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"report\"}}],\"tool_choice\":";

  @Test
  void at_openai_a_function_that_must_be_called_is_called(@TempDir Path folder) throws Exception {
    try (Simulator simulator = scripted(folder)) {
      Http http = new Http(simulator);
      String body = Http.prompt("gpt-4o", 100, "Hello there");
      String named = "{\"type\":\"function\",\"function\":{\"name\":\"report\"}}";
      for (String choice : List.of(named, "\"required\"")) {
        JsonNode reply = http.openai("/v1/chat/completions", with(body, FUNCTION + choice)).json();
        JsonNode call = reply.at("/choices/0/message/tool_calls/0");

        assertThat(reply.at("/choices/0/finish_reason").asText()).isEqualTo("tool_calls");
        assertThat(call.at("/function/name").asText()).isEqualTo("report");
        assertThat(Http.json(call.at("/function/arguments").asText())).isEqualTo(Http.json(REPORT));
      }
      StringBuilder arguments = new StringBuilder();
      http.openai("/v1/chat/completions", Http.stream(with(body, FUNCTION + named)))
          .text()
          .lines()
          .filter(line -> line.startsWith("data: {"))
          .map(line -> Http.json(line.substring(6)))
          .forEach(
              chunk ->
                  arguments.append(
                      chunk.at("/choices/0/delta/tool_calls/0/function/arguments").asText()));
      assertThat(Http.json(arguments.toString())).isEqualTo(Http.json(REPORT));
    }
  }

  @Test
  void a_schema_at_openai_is_answered_in_the_content(@TempDir Path folder) throws Exception {
    try (Simulator simulator = scripted(folder)) {
      String body =
          with(
              Http.prompt("gpt-4o", 100, "Hello there"),
              "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"r\"}}");

      JsonNode reply = new Http(simulator).openai("/v1/chat/completions", body).json();

      assertThat(Http.json(reply.at("/choices/0/message/content").asText()))
          .isEqualTo(Http.json(REPORT));
    }
  }

  @Test
  void counting_cannot_stream_and_warms_no_cache() throws Exception {
    String body =
        """
        {"stream":true,"model":"claude-sonnet-4-5","max_tokens":10,"system":[{"type":"text",
        "text":"%s","cache_control":{"type":"ephemeral"}}],
        "messages":[{"role":"user","content":"Hi"}]}
        """
            .formatted("lever ".repeat(1_000));
    String[] headers = {"x-api-key", "key", "anthropic-version", "x", "x-sim-input-tokens", "5000"};
    try (Simulator simulator = Simulator.start(Settings.of("unlimited"), 0)) {
      Http http = new Http(simulator);

      Http.Reply counted = http.send("POST", "/v1/messages/count_tokens", body, headers);

      assertThat(counted.json().path("input_tokens").asLong()).isEqualTo(5_000);
      JsonNode usage = http.message(body.replace("true", "false")).json().path("usage");
      assertThat(usage.path("cache_read_input_tokens").asLong()).isZero();
    }
  }
}
