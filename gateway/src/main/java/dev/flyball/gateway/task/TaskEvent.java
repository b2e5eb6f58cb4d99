package dev.flyball.gateway.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.ask.UnitState;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.report.JsonReport;
import java.util.Locale;

/**
 * Something that a client is told of its task.
 *
 * @param data one line of JSON, in ASCII
 */
record TaskEvent(String name, String data) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int MOST_FILES = 20;
  private static final int LONGEST_PATH = 400;

  private static TaskEvent of(String name, ObjectNode data) {
    return new TaskEvent(name, AsciiJson.compact(data));
  }

  private static ObjectNode data(String taskId) {
    return NODES.objectNode().put("taskId", taskId);
  }

  /** Over WebSocket: it was taken. */
  static TaskEvent accepted(String taskId) {
    return of("task:accepted", data(taskId));
  }

  /** It waits for a slot. */
  static TaskEvent queued(String taskId, TaskSlots.Position position) {
    var data = data(taskId).put("position", position.place());
    position
        .eta()
        .ifPresentOrElse(eta -> data.put("etaMs", eta.toMillis()), () -> data.putNull("etaMs"));
    return of("queued", data);
  }

  /**
   * It is planned and begins.
   *
   * @param more what else is known of it
   */
  static TaskEvent start(String taskId, ObjectNode more) {
    return of("start", data(taskId).setAll(more));
  }

  /** A unit has come so far. */
  static TaskEvent unit(String taskId, Unit unit, UnitState state, long over, int total) {
    var data =
        data(taskId)
            .put("unit", SafeText.cut(unit.name(), LONGEST_PATH))
            .put("state", state.name().toLowerCase(Locale.ROOT));
    var lenses = data.putArray("lenses");
    unit.lenses().forEach(lens -> lenses.add(lens.name()));
    var files = data.putArray("files");
    unit.files().stream()
        .limit(MOST_FILES)
        .forEach(file -> files.add(SafeText.cut(file, LONGEST_PATH)));
    return of("unit", data.put("over", over).put("total", total));
  }

  /** Something was found; it may still be merged with others, or refuted. */
  static TaskEvent finding(String taskId, Claim claim) {
    var finding = JsonReport.node(new Finding("preliminary", claim, false));
    finding.remove("id");
    return of("finding", data(taskId).set("finding", finding));
  }

  /**
   * It has a result.
   *
   * @param result what came of it
   */
  static TaskEvent complete(String taskId, ObjectNode result) {
    return of("complete", data(taskId).setAll(result));
  }

  static TaskEvent error(TaskError error) {
    return of("error", error.json());
  }

  /**
   * Nothing more comes.
   *
   * @param missed events that a client who read too slowly was not sent
   */
  static TaskEvent done(String taskId, long missed) {
    return of("done", data(taskId).put("missedEvents", missed));
  }

  /** As server-sent events write it. */
  String sse() {
    return "event: " + name + "\ndata: " + data + "\n\n";
  }

  /** As a WebSocket message. */
  String message() {
    return "{\"event\":\"" + name + "\",\"data\":" + data + "}";
  }
}
