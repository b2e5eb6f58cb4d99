package dev.flyball.gateway.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What the server says is held against the document that it publishes. */
final class ApiDocumentTest {
  private static final int EACH = 20;
  private final ScriptedWork work = new ScriptedWork();

  private static TaskSettings room(int limit, int queued) {
    return TaskSettings.USUAL.room(
        new TaskSettings.Room(new TaskLimit(limit), queued, OptionalInt.empty()));
  }

  private static ObjectNode document(ServedReviews server)
      throws IOException, InterruptedException {
    var answer =
        server.client.send(
            HttpRequest.newBuilder(server.at("/openapi.json")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    return (ObjectNode) ServedReviews.JSON.readTree(answer.body());
  }

  /** One of its schemas, with the others beside it. */
  private static Schema schema(JsonNode document, String name) {
    var schema = ServedReviews.JSON.createObjectNode();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("$ref", "#/components/schemas/" + name);
    schema.set("components", document.path("components"));
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(schema.toString(), InputFormat.JSON);
  }

  private static void fits(Schema schema, JsonNode said) {
    assertThat(schema.validate(said.toString(), InputFormat.JSON)).as(said.toString()).isEmpty();
  }

  private static JsonNode event(ServedReviews.Told told) {
    ObjectNode node = ServedReviews.JSON.createObjectNode().put("event", told.name());
    return node.set("data", told.data());
  }

  @Test
  void twenty_replies_of_every_reason_keep_to_the_document() throws Exception {
    Map<TaskReason, List<JsonNode>> replies = new EnumMap<>(TaskReason.class);
    JsonNode document;
    try (var server = ServedReviews.of(room(1, 0), work);
        var guarded = ServedReviews.guarded(room(1, 0), work, ServedReviews.word("x"))) {
      document = document(server);
      var wrong = List.of("{", "{}", "{\"patch\":1}", "{\"repository\":\"x\",\"range\":\"HEAD\"}");
      for (int i = 0; i < EACH; i++) {
        keep(replies, server.post(wrong.get(i % wrong.size())).json());
        keep(replies, guarded.post("{}").json());
        for (var code : TaskCode.values()) {
          switch (code.reason()) {
            case INVALID_REQUEST, UNAUTHORIZED, AT_CAPACITY -> {}
            case DRAINING,
                BUDGET_SPENT,
                PROVIDER_UNAVAILABLE,
                PROVIDER_REFUSED,
                TIMEOUT,
                CANCELLED,
                INTERNAL_ERROR -> {
              try (var answer = server.post(ServedReviews.patch(code + " " + i))) {
                keep(replies, server.post(ServedReviews.patch("no room")).json());
                work.next().fails(code);
                keep(replies, answer.until("error").data());
                answer.until("done");
              }
            }
          }
        }
      }
    }
    var schema = schema(document, "Failure");
    for (var reason : TaskReason.values()) {
      assertThat(replies.getOrDefault(reason, List.of()))
          .as(reason.name())
          .hasSizeGreaterThanOrEqualTo(EACH)
          .allSatisfy(reply -> fits(schema, reply));
    }
  }

  private static void keep(Map<TaskReason, List<JsonNode>> replies, JsonNode reply) {
    var reason = TaskReason.valueOf(reply.path("error").path("reason").asText());
    replies.computeIfAbsent(reason, fresh -> new ArrayList<>()).add(reply);
  }

  @Test
  void what_does_not_keep_to_it_is_seen() throws Exception {
    try (var server = ServedReviews.of(room(1, 0), work)) {
      var schema = schema(document(server), "Failure");
      var reply = (ObjectNode) server.post("{").json();
      fits(schema, reply);
      for (var field : List.of("reason", "hint", "taskId", "timestamp", "recoverable")) {
        var less = reply.deepCopy();
        ((ObjectNode) less.path("error")).remove(field);
        assertThat(schema.validate(less.toString(), InputFormat.JSON)).as(field).isNotEmpty();
      }
      var other = reply.deepCopy();
      ((ObjectNode) other.path("error")).put("reason", "BAD_DAY");
      assertThat(schema.validate(other.toString(), InputFormat.JSON)).isNotEmpty();
      var full = reply.deepCopy();
      ((ObjectNode) full.path("error")).put("reason", "AT_CAPACITY");
      assertThat(schema.validate(full.toString(), InputFormat.JSON))
          .as("a full server says when, and whose room it is")
          .isNotEmpty();
    }
  }

  @Test
  void events_keep_to_it_over_both_protocols() throws Exception {
    try (var server = ServedReviews.of(room(1, 1), work)) {
      var schema = schema(document(server), "Event");
      var line = server.line();
      try (var runs = server.post(ServedReviews.patch("x"))) {
        line.details(ServedReviews.patch("y"));
        fits(schema, event(line.next()));
        fits(schema, event(line.until("queued")));
        work.next().fails(TaskCode.TIMEOUT);
        fits(schema, event(runs.until("error")));
        fits(schema, event(runs.until("done")));
        work.next().fails(TaskCode.BUDGET_SPENT);
        fits(schema, event(line.until("error")));
        fits(schema, event(line.until("done")));
      }
    }
  }

  @Test
  void it_names_every_reason_every_code_and_every_path() throws Exception {
    try (var server = ServedReviews.of(room(1, 0), work)) {
      var document = document(server);
      assertThat(document.path("openapi").asText()).startsWith("3.1");
      var schemas = document.path("components").path("schemas");
      assertThat(words(schemas.path("Reason").path("enum")))
          .containsExactlyElementsOf(Arrays.stream(TaskReason.values()).map(Enum::name).toList());
      assertThat(words(schemas.path("Code").path("enum")))
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(TaskCode.values()).map(Enum::name).toList());
      for (var mount : server.part().mounts()) {
        assertThat(document.path("paths").has(mount.path())).as(mount.path()).isTrue();
      }
      for (var reason : TaskReason.values()) {
        assertThat(reason.hint()).as(reason.name()).endsWith(".");
      }
    }
  }

  private static List<String> words(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }
}
