package dev.flyball.gateway.task;

import io.vertx.core.Future;

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
}
