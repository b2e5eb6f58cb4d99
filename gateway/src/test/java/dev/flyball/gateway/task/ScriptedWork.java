package dev.flyball.gateway.task;

import dev.flyball.gateway.http.Caller;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Work that does what a test says, when it says it. */
final class ScriptedWork implements TaskWork {
  private static final int PATIENCE = 60;

  /** One piece of it. */
  static final class Piece {
    final String taskId;
    final TaskDetails details;
    final Listener listener;
    final CountDownLatch told = new CountDownLatch(1);
    volatile boolean cancelled;

    Piece(String taskId, TaskDetails details, Listener listener) {
      this.taskId = taskId;
      this.details = details;
      this.listener = listener;
    }

    void says(String text) {
      listener.event(new TaskEvent("unit", "{\"text\":\"" + text + "\"}"));
    }

    void completes() {
      listener.ended(new Completed(new TaskEvent("complete", "{}")));
    }

    void fails(TaskCode code) {
      listener.ended(new Failed(code, TaskError.Phase.EXECUTION, Optional.empty()));
    }

    void awaitCancelled() throws InterruptedException {
      if (!told.await(PATIENCE, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody cancelled it");
      }
    }
  }

  final List<Piece> begun = new CopyOnWriteArrayList<>();
  private final LinkedBlockingQueue<Piece> fresh = new LinkedBlockingQueue<>();
  volatile boolean stopsWhenTold = true;

  /** The next that was begun. */
  Piece next() throws InterruptedException {
    var piece = fresh.poll(PATIENCE, TimeUnit.SECONDS);
    if (piece == null) {
      throw new AssertionError("no work was begun");
    }
    return piece;
  }

  @Override
  public Work begin(String taskId, TaskDetails details, Caller caller, Listener listener) {
    var piece = new Piece(taskId, details, listener);
    begun.add(piece);
    fresh.add(piece);
    return () -> {
      piece.cancelled = true;
      piece.told.countDown();
      if (stopsWhenTold) {
        piece.fails(TaskCode.CANCELLED);
      }
    };
  }
}
