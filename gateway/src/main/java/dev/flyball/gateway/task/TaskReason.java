package dev.flyball.gateway.task;

/**
 * The reason why a task was refused or ended without a result: a closed list, so that it may label
 * a metric, each with what a person can do about it.
 */
public enum TaskReason {
  INVALID_REQUEST("Correct the request; code and message say which rule it broke."),
  UNAUTHORIZED("Send a key of this server, as 'Authorization: Bearer KEY'."),
  AT_CAPACITY("Send the same request again after retryAfterMs."),
  DRAINING(
      "The server is shutting down. Send the same request again, here later or to another server."),
  BUDGET_SPENT("Allow the review more tokens or dollars, or choose fewer lenses."),
  PROVIDER_UNAVAILABLE("Send the same request again later; what was answered is kept."),
  PROVIDER_REFUSED("The operator of this server should look at its provider key and models."),
  TIMEOUT("Send the same request again: what was answered is kept and not asked twice."),
  CANCELLED("Send the same request again to resume."),
  INTERNAL_ERROR("Tell the operator of this server the taskId; the log says more.");

  private final String hint;

  TaskReason(String hint) {
    this.hint = hint;
  }

  /** What a person can do. */
  public String hint() {
    return hint;
  }
}
