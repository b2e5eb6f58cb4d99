package dev.flyball.gateway.task;

import dev.flyball.gateway.http.Caller;
import java.util.Optional;

/** The work that a task is about. */
interface TaskWork {
  /**
   * Begins, and does not wait.
   *
   * @param listener told by any thread
   */
  Work begin(String taskId, TaskDetails details, Caller caller, Listener listener);

  /** Work that is under way. */
  @FunctionalInterface
  interface Work {
    /** Ends it as soon as can be; the listener is told when it has. */
    void cancel();
  }

  /** Whoever wants to know how it goes. */
  interface Listener {
    void event(TaskEvent event);

    /** It is over; told once. */
    void ended(Ending ending);
  }

  /** How it ended. */
  sealed interface Ending {}

  /** With a result. */
  record Completed(TaskEvent result) implements Ending {}

  /** Without one. */
  record Failed(TaskCode code, TaskError.Phase phase, Optional<String> detail) implements Ending {}
}
