package dev.flyball.simulator.wire;

import dev.flyball.simulator.limit.PromptPrefix;
import java.util.List;

/** A body, as far as it could be understood. */
public sealed interface RequestBody {
  /**
   * A prompt or texts, and how they are to be answered.
   *
   * @param said the last thing the user said
   * @param asked the longest answer that was asked for; 0 if nobody said
   * @param longest that, or the longest that the model gives
   * @param usage whether a stream ends with its usage
   * @param tool the tool that the answer must use; empty if it may do as it likes
   * @param texts what is to be embedded
   */
  record Prompt(
      String model,
      String said,
      long input,
      List<PromptPrefix> breakpoints,
      long asked,
      long longest,
      boolean stream,
      boolean usage,
      String id,
      String tool,
      List<String> texts)
      implements RequestBody {}

  /** A body that cannot be served, and why. */
  record Invalid(int status, String type, String code, String param, String message)
      implements RequestBody {
    public static Invalid because(String param, String message) {
      return new Invalid(400, "invalid_request_error", "", param, message);
    }
  }
}
