package dev.flyball.gateway.task;

import dev.flyball.gateway.http.AccessCheck;
import dev.flyball.gateway.http.Caller;
import dev.flyball.gateway.http.RequestHandler;
import dev.flyball.review.finding.AsciiJson;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@code POST /v1/reviews}: a request for a review, answered by a stream of events.
 *
 * <p>What can be seen in the head is refused by the head. A small body is read even where there is
 * no room, so that a wrong request is told that it is wrong; a large one is not.
 */
final class ReviewRequests implements RequestHandler {
  private static final long SMALL = 64 << 10;
  private static final int BODIES = 8;
  private static final String JSON = "application/json";

  private final Vertx vertx;
  private final Tasks tasks;
  private final BodyRoom room = new BodyRoom();

  ReviewRequests(Vertx vertx, Tasks tasks) {
    this.vertx = vertx;
    this.tasks = tasks;
  }

  @Override
  public void turnedAway(HttpServerRequest request, AccessCheck.TurnedAway why) {
    refuse(request, why, tasks);
  }

  /** Turns somebody away in the shape that clients of reviews know. */
  static void refuse(HttpServerRequest request, AccessCheck.TurnedAway why, Tasks tasks) {
    var code =
        switch (why.status()) {
          case 401 -> TaskCode.UNAUTHORIZED;
          case 403 -> TaskCode.FORBIDDEN;
          default -> TaskCode.DRAINING;
        };
    var error = tasks.error(code, TaskError.Phase.SETUP, Tasks.newId());
    Refusals.send(request, tasks.sentAway(error).error(), false);
  }

  @Override
  public void answer(HttpServerRequest request, Caller caller) {
    var id = Tasks.newId();
    var wrong = wrongHead(request);
    if (wrong.isPresent()) {
      away(request, tasks.error(wrong.get(), TaskError.Phase.SETUP, id), false);
      return;
    }
    long length = length(request);
    if (length < 0 || length > SMALL) {
      var full = tasks.full(id);
      if (full.isPresent()) {
        away(request, full.get(), false);
        return;
      }
    }
    if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      request.response().writeContinue();
    }
    new Reading(request, id, caller).begin();
  }

  private Optional<TaskCode> wrongHead(HttpServerRequest request) {
    if (!request.method().equals(HttpMethod.POST)) {
      return Optional.of(TaskCode.METHOD_NOT_ALLOWED);
    }
    var type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    var coding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    if (type == null
        || !type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(JSON)
        || (coding != null && !coding.equalsIgnoreCase("identity"))) {
      return Optional.of(TaskCode.UNSUPPORTED_MEDIA_TYPE);
    }
    return length(request) > tasks.settings().largestBody()
        ? Optional.of(TaskCode.BODY_TOO_LARGE)
        : Optional.empty();
  }

  /** As the head says; below 0 if it does not. */
  private static long length(HttpServerRequest request) {
    try {
      var text = request.getHeader(HttpHeaders.CONTENT_LENGTH);
      return text == null ? -1 : Long.parseLong(text.strip());
    } catch (NumberFormatException garbled) {
      return -1;
    }
  }

  private void away(HttpServerRequest request, TaskError error, boolean whole) {
    Refusals.send(request, tasks.sentAway(error).error(), whole);
  }

  /** A body that is being read. Of one context. */
  private final class Reading {
    private final HttpServerRequest request;
    private final String id;
    private final Caller caller;
    private final int most = tasks.settings().largestBody();
    private final Buffer body = Buffer.buffer();
    private long held;
    private long timer;
    private boolean over;

    Reading(HttpServerRequest request, String id, Caller caller) {
      this.request = request;
      this.id = id;
      this.caller = caller;
    }

    void begin() {
      timer =
          vertx.setTimer(
              Math.max(1, tasks.times().client().toMillis()),
              late -> refuse(tasks.error(TaskCode.BODY_TOO_SLOW, TaskError.Phase.SETUP, id)));
      request.handler(this::part);
      request.endHandler(end -> whole());
      request.exceptionHandler(broken -> over());
      request.response().closeHandler(closed -> over());
    }

    private void part(Buffer part) {
      if (over) {
        return;
      }
      if ((long) body.length() + part.length() > most) {
        refuse(tasks.error(TaskCode.BODY_TOO_LARGE, TaskError.Phase.SETUP, id));
        return;
      }
      if (!room.take(part.length(), (long) BODIES * most)) {
        refuse(tasks.error(TaskCode.AT_CAPACITY, TaskError.Phase.SETUP, id).full(tasks.house()));
        return;
      }
      held += part.length();
      body.appendBuffer(part);
    }

    private void refuse(TaskError error) {
      if (!over) {
        over();
        away(request, error, false);
      }
    }

    private void over() {
      over = true;
      vertx.cancelTimer(timer);
      room.giveBack(held);
      held = 0;
    }

    private void whole() {
      if (over) {
        return;
      }
      vertx.cancelTimer(timer);
      var context = vertx.getOrCreateContext();
      var text = body.getBytes();
      Thread.startVirtualThread(
          () -> {
            try {
              var details = TaskDetails.of(TaskDetails.json(text), tasks.settings());
              context.runOnContext(nothing -> read(details));
            } catch (TaskCode.Refused wrong) {
              var error =
                  tasks.error(wrong.code(), TaskError.Phase.SETUP, id).detail(wrong.detail());
              context.runOnContext(nothing -> answer(error));
            } catch (RuntimeException | Error broken) {
              tasks.log(id, broken);
              var error = tasks.error(TaskCode.INTERNAL_ERROR, TaskError.Phase.SETUP, id);
              context.runOnContext(nothing -> answer(error));
            }
          });
    }

    private void answer(TaskError error) {
      over();
      away(request, error, true);
    }

    private void read(TaskDetails details) {
      boolean gone = over;
      over();
      if (gone || request.response().closed()) {
        return;
      }
      switch (tasks.admit(id, details, caller)) {
        case Tasks.SentAway(var error) -> Refusals.send(request, error, true);
        case Tasks.LetIn(var task) -> EventStream.begin(vertx, request.response(), tasks, task);
      }
    }
  }

  /** The bytes that all requests together may hold while they are read. */
  static final class BodyRoom {
    private final AtomicLong held = new AtomicLong();

    /** Takes room for so many more bytes, if there is. */
    boolean take(long bytes, long most) {
      if (held.addAndGet(bytes) > most) {
        held.addAndGet(-bytes);
        return false;
      }
      return true;
    }

    void giveBack(long bytes) {
      held.addAndGet(-bytes);
    }
  }

  /** The reply to a request that does not become a task: one error, as JSON. */
  static final class Refusals {
    static final String TASK_ID = "x-flyball-task-id";

    private Refusals() {}

    /**
     * Answers, unless an answer was begun.
     *
     * @param whole whether the request was read to its end; if not, the connection is closed, so
     *     that the rest need not be
     */
    static void send(HttpServerRequest request, TaskError error, boolean whole) {
      var response = request.response();
      if (response.headWritten() || response.closed()) {
        return;
      }
      response
          .setStatusCode(error.code().status())
          .putHeader("content-type", "application/json")
          .putHeader("cache-control", "no-store")
          .putHeader(TASK_ID, error.taskId());
      error
          .retryAfterSeconds()
          .ifPresent(seconds -> response.putHeader("retry-after", String.valueOf(seconds)));
      if (error.code() == TaskCode.METHOD_NOT_ALLOWED) {
        response.putHeader("allow", "POST");
      }
      if (error.code() == TaskCode.UNAUTHORIZED) {
        response.putHeader("www-authenticate", "Bearer");
      }
      if (error.code() == TaskCode.UPGRADE_REQUIRED) {
        response.putHeader("upgrade", "websocket");
      }
      if (!whole) {
        response.putHeader("connection", "close");
      }
      var sent = response.end(AsciiJson.compact(error.json()));
      if (!whole) {
        sent.onComplete(done -> request.connection().close());
      }
    }
  }
}
