package dev.flyball.gateway.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flyball.gateway.http.Caller;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection over which reviews are asked for, one at a time. A wrong or refused message leaves
 * it open. All that is not said to be for any thread happens on the connection's context.
 */
final class TaskSocket implements ReviewTask.Channel {
  private static final short TOO_LARGE = 1009;
  private static final short GOING_AWAY = 1001;

  private final Vertx vertx;
  private final Context context;
  private final ServerWebSocket socket;
  private final Tasks tasks;
  private final Caller caller;
  private final Consumer<TaskSocket> closed;
  private final Outbox outbox;
  private Buffer message = Buffer.buffer();
  private @Nullable ReviewTask task;
  private long looks;
  private long heard;
  private boolean draining;

  TaskSocket(
      Vertx vertx,
      ServerWebSocket socket,
      Tasks tasks,
      Caller caller,
      Consumer<TaskSocket> closed) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.socket = socket;
    this.tasks = tasks;
    this.caller = caller;
    this.closed = closed;
    this.outbox = new Outbox(context, new Line(), tasks.time());
    this.heard = tasks.time().nanos();
  }

  /** The connection, as the outbox sees it. */
  private final class Line implements Outbox.Wire {
    @Override
    public boolean isFull() {
      // One that is closed throws here, and is not full: what is written to it fails.
      return !socket.isClosed() && socket.writeQueueFull();
    }

    @Override
    public Future<Void> write(String text) {
      return socket.isClosed() ? Future.failedFuture("closed") : socket.writeTextMessage(text);
    }

    @Override
    public void cut() {
      socket.close(GOING_AWAY, "too slow");
    }
  }

  void begin() {
    socket.frameHandler(this::frame);
    socket.closeHandler(end -> left());
    socket.exceptionHandler(broken -> left());
    socket.drainHandler(room -> outbox.flush());
    long every = Math.max(1, tasks.times().quiet().toMillis() / 4);
    looks = vertx.setPeriodic(every, timer -> look());
  }

  private void look() {
    if (outbox.isStuck(tasks.times().client())) {
      if (task != null) {
        task.cancel(TaskCode.CLIENT_TOO_SLOW);
      }
      outbox.cut();
    } else if (task == null
        && tasks.time().nanos() - heard > tasks.times().queue().toNanos()
        && !socket.isClosed()) {
      socket.close(GOING_AWAY, "idle");
    } else if (!socket.isClosed() && !socket.writeQueueFull()) {
      socket.writePing(Buffer.buffer());
    }
  }

  private void left() {
    vertx.cancelTimer(looks);
    closed.accept(this);
    outbox.gone();
    if (task != null) {
      task.cancel(TaskCode.CLIENT_GONE);
    }
  }

  private void frame(WebSocketFrame frame) {
    if (frame.isPing() || frame.isClose() || socket.isClosed()) {
      return;
    }
    heard = tasks.time().nanos();
    if (!frame.isText() && !frame.isContinuation()) {
      if (frame.isBinary()) {
        refuse(TaskCode.INVALID_MESSAGE, Tasks.newId(), Optional.empty());
      }
      return;
    }
    var part = frame.binaryData();
    if ((long) message.length() + part.length() > tasks.settings().largestBody()) {
      message = Buffer.buffer();
      refuse(TaskCode.BODY_TOO_LARGE, Tasks.newId(), Optional.empty());
      closeAfterwards(TOO_LARGE, "too large");
      return;
    }
    message.appendBuffer(part);
    if (frame.isFinal()) {
      var text = message.getBytes();
      message = Buffer.buffer();
      message(text);
    }
  }

  /** One message at a time; the next is not read from the network meanwhile. */
  private void message(byte[] text) {
    var id = Tasks.newId();
    boolean busy = task != null;
    socket.pause();
    Thread.startVirtualThread(
        () -> {
          Runnable then;
          try {
            then = read(id, text, busy);
          } catch (TaskCode.Refused wrong) {
            then = () -> refuse(wrong.code(), id, wrong.detail());
          } catch (RuntimeException | Error broken) {
            tasks.log(id, broken);
            then = () -> refuse(TaskCode.INTERNAL_ERROR, id, Optional.empty());
          }
          var next = then;
          context.runOnContext(
              nothing -> {
                next.run();
                if (!socket.isClosed()) {
                  socket.resume();
                }
              });
        });
  }

  private Runnable read(String id, byte[] text, boolean busy) throws TaskCode.Refused {
    JsonNode asked;
    try {
      asked = TaskDetails.json(text);
    } catch (TaskCode.Refused garbled) {
      throw garbled.detail().isPresent()
          ? new TaskCode.Refused(TaskCode.INVALID_MESSAGE, garbled.detail().get())
          : new TaskCode.Refused(TaskCode.INVALID_MESSAGE);
    }
    return switch (asked.path("event").asText("")) {
      case "task:cancel" -> () -> cancel(id);
      case "task:details" -> {
        if (busy) {
          yield () -> alreadyRunning(id);
        }
        if (!asked.path("data").isObject()) {
          throw new TaskCode.Refused(TaskCode.MISSING_DATA);
        }
        var details = TaskDetails.of(asked.path("data"), tasks.settings());
        yield () -> admit(id, details);
      }
      default -> throw new TaskCode.Refused(TaskCode.INVALID_MESSAGE);
    };
  }

  private void cancel(String id) {
    if (task == null) {
      refuse(TaskCode.NO_TASK, id, Optional.empty());
    } else {
      task.cancel(TaskCode.CANCELLED);
    }
  }

  private void alreadyRunning(String id) {
    var error = tasks.error(TaskCode.TASK_ALREADY_RUNNING, TaskError.Phase.SETUP, id);
    say(task == null ? error : error.running(task.id()));
  }

  private void refuse(TaskCode code, String id, Optional<String> detail) {
    say(tasks.error(code, TaskError.Phase.SETUP, id).detail(detail));
  }

  private void say(TaskError error) {
    tasks.sentAway(error);
    outbox.say(TaskEvent.error(error).message());
  }

  private void admit(String id, TaskDetails details) {
    if (socket.isClosed()) {
      return;
    }
    switch (tasks.admit(id, details, caller)) {
      case Tasks.SentAway(var error) -> outbox.say(TaskEvent.error(error).message());
      case Tasks.LetIn(var begun) -> {
        task = begun;
        outbox.say(TaskEvent.accepted(id).message());
        begun.start(this);
      }
    }
  }

  /** By any thread. */
  @Override
  public void progress(TaskEvent event) {
    outbox.progress(event.message());
  }

  /** By any thread. */
  @Override
  public void finish(List<TaskEvent> last, Runnable over) {
    context.runOnContext(
        nothing -> {
          var ended = task == null ? "" : task.id();
          outbox.finish(
              last.stream().map(TaskEvent::message).toList(),
              () -> {
                over.run();
                ended(ended);
              });
        });
  }

  /** Whoever is told that nothing more comes may ask for the next review at once. */
  private void ended(String id) {
    task = null;
    heard = tasks.time().nanos();
    outbox.say(TaskEvent.done(id, outbox.missed()).message());
    if (draining) {
      closeAfterwards(GOING_AWAY, "the server is ending");
    }
  }

  /** When what was said is on its way. */
  private void closeAfterwards(short status, String why) {
    context.runOnContext(
        nothing -> {
          if (!socket.isClosed()) {
            socket.close(status, why);
          }
        });
  }

  /** By any thread: closes it as soon as nothing runs. */
  void drain() {
    context.runOnContext(
        nothing -> {
          draining = true;
          if (task == null && !socket.isClosed()) {
            socket.close(GOING_AWAY, "the server is ending");
          }
        });
  }
}
