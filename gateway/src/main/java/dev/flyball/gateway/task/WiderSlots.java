package dev.flyball.gateway.task;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/**
 * Room for tasks that several processes share. It is asked after this process has room, and before
 * the task begins.
 */
@FunctionalInterface
public interface WiderSlots {
  /** Asks for room for one task; a failed future counts as an internal error. */
  Future<Answer> take(String taskId, String tenant);

  /** What came of it. */
  sealed interface Answer {}

  /**
   * There is room.
   *
   * @param giveBack run once, when the task is over, by any thread
   */
  record Taken(Runnable giveBack) implements Answer {}

  /** There is none. */
  record NoRoom(FullHouse full) implements Answer {}

  /** Where no other process shares anything. */
  WiderSlots ALONE = (taskId, tenant) -> Future.succeededFuture(new Taken(() -> {}));

  /** Whoever has to wait for the answer, as over a network. */
  @FunctionalInterface
  interface Asking {
    /** Asks for room for one task, and waits. */
    Answer take(String taskId, String tenant);
  }

  /** Asks on a thread of its own for each task. */
  static WiderSlots of(Asking asking) {
    return (taskId, tenant) -> {
      Promise<Answer> answer = Promise.promise();
      Thread.ofVirtual()
          .name("flyball-wider-slots")
          .start(
              () -> {
                try {
                  answer.complete(asking.take(taskId, tenant));
                } catch (RuntimeException broken) {
                  answer.fail(broken);
                }
              });
      return answer.future();
    };
  }
}
