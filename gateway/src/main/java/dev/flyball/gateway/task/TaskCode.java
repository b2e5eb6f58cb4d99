package dev.flyball.gateway.task;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The errors that a client can be told, each in words that were written here: no text that was
 * thrown, and none that a provider said, is ever among them.
 */
enum TaskCode {
  MALFORMED_JSON(TaskReason.INVALID_REQUEST, 400, false, "The body is not one JSON object."),
  INVALID_FIELD(TaskReason.INVALID_REQUEST, 400, false, "A field has a wrong value."),
  MISSING_SUBJECT(
      TaskReason.INVALID_REQUEST,
      400,
      false,
      "Say what to review: 'patch', or 'repository' with 'range' or 'patch'."),
  INVALID_PATCH(TaskReason.INVALID_REQUEST, 400, false, "The patch cannot be read."),
  UNKNOWN_REPOSITORY(
      TaskReason.INVALID_REQUEST, 404, false, "This server has no repository of that name."),
  UNKNOWN_REVISION(TaskReason.INVALID_REQUEST, 400, false, "The range names an unknown revision."),
  UNKNOWN_LENS(TaskReason.INVALID_REQUEST, 400, false, "There is no such lens for changes."),
  SUBJECT_TOO_LARGE(
      TaskReason.INVALID_REQUEST, 413, false, "The change is larger than can be reviewed."),
  MODEL_NOT_ALLOWED(
      TaskReason.INVALID_REQUEST, 403, false, "Your key may not ask the models of this review."),
  UNREADABLE_SUBJECT(TaskReason.INVALID_REQUEST, 422, false, "The repository cannot be read."),
  UNSUPPORTED_MEDIA_TYPE(
      TaskReason.INVALID_REQUEST, 415, false, "Send the body as application/json."),
  METHOD_NOT_ALLOWED(TaskReason.INVALID_REQUEST, 405, false, "Request a review with POST."),
  UPGRADE_REQUIRED(
      TaskReason.INVALID_REQUEST, 426, false, "This path is a WebSocket: open it with GET."),
  BODY_TOO_LARGE(TaskReason.INVALID_REQUEST, 413, false, "The body is too large."),
  BODY_TOO_SLOW(TaskReason.INVALID_REQUEST, 408, true, "The body did not come in time."),
  INVALID_MESSAGE(
      TaskReason.INVALID_REQUEST,
      400,
      false,
      "A message is a JSON object with 'event': task:details with 'data', or task:cancel."),
  MISSING_DATA(TaskReason.INVALID_REQUEST, 400, false, "task:details comes with 'data'."),
  NO_TASK(TaskReason.INVALID_REQUEST, 400, false, "There is no task to cancel."),
  TASK_ALREADY_RUNNING(
      TaskReason.INVALID_REQUEST,
      409,
      true,
      "This review, or one over this connection, is running already; wait until it has ended."),
  UNAUTHORIZED(TaskReason.UNAUTHORIZED, 401, false, "No valid key came with the request."),
  FORBIDDEN(TaskReason.UNAUTHORIZED, 403, false, "This request may not be made from there."),
  AT_CAPACITY(
      TaskReason.AT_CAPACITY,
      429,
      true,
      "The server is at capacity. Send the same request again after a short wait."),
  DRAINING(TaskReason.DRAINING, 503, true, "The server is shutting down."),
  BUDGET_SPENT(TaskReason.BUDGET_SPENT, 402, false, "The budget is too small for any answer."),
  PROVIDER_UNAVAILABLE(
      TaskReason.PROVIDER_UNAVAILABLE, 503, true, "The model provider gave no answer."),
  PROVIDER_REFUSED(
      TaskReason.PROVIDER_REFUSED, 502, false, "The model provider refused the request."),
  TIMEOUT(TaskReason.TIMEOUT, 504, true, "The review ran out of time."),
  CANCELLED(TaskReason.CANCELLED, 499, true, "The review was cancelled."),
  CLIENT_GONE(TaskReason.CANCELLED, 499, true, "The client disconnected."),
  CLIENT_TOO_SLOW(TaskReason.CANCELLED, 499, true, "The client did not read what it was sent."),
  INTERNAL_ERROR(TaskReason.INTERNAL_ERROR, 500, false, "Internal error.");

  private final TaskReason reason;
  private final int status;
  private final boolean recoverable;
  private final String message;

  TaskCode(TaskReason reason, int status, boolean recoverable, String message) {
    this.reason = reason;
    this.status = status;
    this.recoverable = recoverable;
    this.message = message;
  }

  TaskReason reason() {
    return reason;
  }

  /** Of a reply over HTTP that has not begun. */
  int status() {
    return status;
  }

  /** Whether the same request may succeed later. */
  boolean isRecoverable() {
    return recoverable;
  }

  String message() {
    return message;
  }

  /** The refusal of a request that breaks a rule: which one, in words that were written here. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    private final TaskCode code;
    private final @Nullable String detail;

    Refused(TaskCode code) {
      super(code.name());
      this.code = code;
      this.detail = null;
    }

    /** With the rule that a field broke. */
    Refused(TaskCode code, String detail) {
      super(code.name() + ": " + detail);
      this.code = code;
      this.detail = detail;
    }

    TaskCode code() {
      return code;
    }

    Optional<String> detail() {
      return Optional.ofNullable(detail);
    }
  }
}
