package dev.flyball.gateway.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * The error that a client is told, over HTTP as over WebSocket in the same shape.
 *
 * @param detail which rule a field broke, in our words
 * @param running the task that is in the way, if it is of the same caller
 * @param retryAfter when it makes sense to ask again, if that is known
 * @param full what has no room, if that is the reason
 */
record TaskError(
    TaskCode code,
    Phase phase,
    String taskId,
    Optional<String> detail,
    Optional<String> running,
    Optional<Duration> retryAfter,
    Optional<FullHouse> full,
    Instant at) {
  private static final long MILLIS = 1_000;

  /** Whether the task had begun. */
  enum Phase {
    SETUP,
    EXECUTION
  }

  static TaskError of(TaskCode code, Phase phase, String taskId, Instant at) {
    return new TaskError(
        code,
        phase,
        taskId,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        at);
  }

  TaskError detail(Optional<String> rule) {
    return new TaskError(code, phase, taskId, rule, running, retryAfter, full, at);
  }

  TaskError running(String other) {
    return new TaskError(code, phase, taskId, detail, Optional.of(other), retryAfter, full, at);
  }

  TaskError full(FullHouse house) {
    var wait = Optional.of(house.retryAfter());
    return new TaskError(code, phase, taskId, detail, running, wait, Optional.of(house), at);
  }

  TaskError retryAfter(Duration wait) {
    return new TaskError(code, phase, taskId, detail, running, Optional.of(wait), full, at);
  }

  /** Whole seconds for the header, never less than the milliseconds say. */
  Optional<Long> retryAfterSeconds() {
    return retryAfter.map(wait -> Math.ceilDiv(wait.toMillis(), MILLIS));
  }

  /** As it is sent. */
  ObjectNode json() {
    var root = JsonNodeFactory.instance.objectNode().put("success", false);
    var error =
        root.putObject("error")
            .put("message", detail.map(rule -> code.message() + " " + rule).orElse(code.message()))
            .put("code", code.name())
            .put("reason", code.reason().name())
            .put("hint", code.reason().hint())
            .put("phase", phase.name().toLowerCase(Locale.ROOT))
            .put("taskId", taskId)
            .put("recoverable", code.isRecoverable())
            .put("timestamp", at.toString());
    running.ifPresent(id -> error.put("runningTaskId", id));
    retryAfter.ifPresent(wait -> error.put("retryAfterMs", wait.toMillis()));
    full.ifPresent(
        house ->
            error
                .put("scope", house.scope().toString())
                .put("limit", house.limit())
                .put("inFlight", house.inFlight()));
    return root;
  }
}
