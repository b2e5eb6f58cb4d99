package dev.flyball.gateway.task;

import dev.flyball.gateway.http.Access;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.Mount;
import dev.flyball.review.rule.RuleChoices;
import io.vertx.core.http.HttpServerOptions;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The front door of the review server, as a part of the gateway. It may be asked for its numbers at
 * any time.
 */
public final class ReviewPart implements GatewayPart {
  private final Tasks tasks;
  private final Supplier<TaskSettings> settings;
  private final ReviewRequests requests;
  private final ReviewSockets sockets;

  private ReviewPart(Ground ground, Tasks tasks, Supplier<TaskSettings> settings) {
    this.tasks = tasks;
    this.settings = settings;
    this.requests = new ReviewRequests(ground.vertx(), tasks);
    this.sockets = new ReviewSockets(ground.vertx(), tasks);
  }

  /**
   * What it needs beside what every part has.
   *
   * @param settings asked at the start, and again whenever settings are read again
   * @param rules which checks without a model are on
   * @param wider room that is shared with other processes
   * @param version of the program, for reports
   */
  public record Needs(
      Supplier<TaskSettings> settings, RuleChoices rules, WiderSlots wider, String version) {}

  /** Makes it; refuses settings that cannot be. */
  public static ReviewPart on(Ground ground, Needs needs) {
    var work =
        new ReviewWork(
            ground.setup(), ground.flyball(), needs.rules(), needs.version(), Tasks.Trouble.LOGGED);
    var means =
        new Tasks.Means(
            work,
            needs.wider(),
            ground.setup().time(),
            RandomGenerator.of("L64X128MixRandom"),
            Tasks.Trouble.LOGGED);
    return with(ground, means, needs.settings());
  }

  static ReviewPart with(Ground ground, Tasks.Means means, Supplier<TaskSettings> settings) {
    return new ReviewPart(ground, new Tasks(means, settings.get()), settings);
  }

  @Override
  public List<Mount> mounts() {
    return List.of(
        new Mount("/v1/reviews", Access.CALLERS, requests),
        new Mount("/v1/reviews/ws", Access.CALLERS, sockets),
        new Mount("/openapi.json", Access.EVERYBODY, new ApiDocument()));
  }

  @Override
  public void adjust(HttpServerOptions options) {
    // A browser sends a message as one frame. Compressed ones could be far larger than they look.
    options
        .setMaxWebSocketFrameSize(tasks.settings().largestBody())
        .setMaxWebSocketMessageSize(tasks.settings().largestBody())
        .setPerMessageWebSocketCompressionSupported(false)
        .setPerFrameWebSocketCompressionSupported(false);
  }

  /** How full it is, and what became of those who asked. */
  public TaskCounts counts() {
    return tasks.counts();
  }

  @Override
  public void drain() {
    tasks.drain();
    sockets.drain();
  }

  @Override
  public int inFlight() {
    return tasks.open();
  }

  @Override
  public Runnable readAgain() {
    var other = settings.get();
    return () -> tasks.change(other);
  }

  @Override
  public void close() {
    tasks.drain();
    tasks.cancelAll(TaskCode.DRAINING);
    tasks.awaitNone(tasks.times().settle());
  }
}
