package dev.flyball.gateway.task;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;

/** The reply to one request for a review: a stream of server-sent events. */
final class EventStream implements ReviewTask.Channel {
  private static final String ALIVE = ": alive\n\n";

  private final Vertx vertx;
  private final HttpServerResponse response;
  private final Tasks tasks;
  private final ReviewTask task;
  private final Outbox outbox;
  private long looks;

  private EventStream(Vertx vertx, HttpServerResponse response, Tasks tasks, ReviewTask task) {
    this.vertx = vertx;
    this.response = response;
    this.tasks = tasks;
    this.task = task;
    this.outbox = new Outbox(context(vertx), new Reply(), tasks.time());
  }

  private static Context context(Vertx vertx) {
    return vertx.getOrCreateContext();
  }

  /** Begins the reply, and the task with it. On the connection's context. */
  static void begin(Vertx vertx, HttpServerResponse response, Tasks tasks, ReviewTask task) {
    var stream = new EventStream(vertx, response, tasks, task);
    response
        .setStatusCode(200)
        .putHeader("content-type", "text/event-stream; charset=utf-8")
        .putHeader("cache-control", "no-store")
        .putHeader("x-accel-buffering", "no")
        .putHeader(ReviewRequests.Refusals.TASK_ID, task.id())
        .setChunked(true);
    response.exceptionHandler(broken -> stream.left());
    response.closeHandler(closed -> stream.left());
    response.drainHandler(room -> stream.outbox.flush());
    response.writeHead().onFailure(broken -> stream.left());
    long every = Math.max(1, tasks.times().quiet().toMillis() / 4);
    stream.looks = vertx.setPeriodic(every, timer -> stream.look());
    if (response.closed()) {
      stream.left();
    }
    task.start(stream);
  }

  /** The response, as the outbox sees it. */
  private final class Reply implements Outbox.Wire {
    @Override
    public boolean isFull() {
      return response.writeQueueFull();
    }

    @Override
    public Future<Void> write(String text) {
      return response.closed() ? Future.failedFuture("closed") : response.write(text);
    }

    @Override
    public void cut() {
      response.reset();
    }
  }

  private void look() {
    if (outbox.isStuck(tasks.times().client())) {
      task.cancel(TaskCode.CLIENT_TOO_SLOW);
      outbox.cut();
      vertx.cancelTimer(looks);
    } else if (outbox.quiet().compareTo(tasks.times().quiet()) >= 0) {
      outbox.lifeSign(ALIVE);
    }
  }

  private void left() {
    vertx.cancelTimer(looks);
    outbox.gone();
    task.cancel(TaskCode.CLIENT_GONE);
  }

  @Override
  public void progress(TaskEvent event) {
    outbox.progress(event.sse());
  }

  @Override
  public void finish(List<TaskEvent> last, Runnable over) {
    outbox.finish(
        last.stream().map(TaskEvent::sse).toList(),
        () -> {
          over.run();
          vertx.cancelTimer(looks);
          if (!response.closed()) {
            response.end(TaskEvent.done(task.id(), outbox.missed()).sse());
          }
        });
  }
}
