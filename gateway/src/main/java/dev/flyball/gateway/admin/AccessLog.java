package dev.flyball.gateway.admin;

import dev.flyball.call.Cost;
import dev.flyball.gateway.http.CallListener;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.ProxiedCall;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.Writer;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A line of JSON for each call that ended: who, what, how it ended, what it used. Never a key, a
 * header or a body. One thread writes; when the disk is slower than the calls, lines are left out
 * and counted, and no call waits for it.
 */
public final class AccessLog implements GatewayPart, CallListener {
  private static final int ROOM = 10_000;
  private static final int LONGEST_NAME = 200;
  private static final String END = "";

  private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(ROOM);
  private final AtomicLong leftOut = new AtomicLong();
  private final Writer out;
  private final Consumer<String> warnings;
  private final Thread thread;

  /** A log that is written to {@code out}, which it closes in the end. */
  public AccessLog(Writer out, Consumer<String> warnings) {
    this.out = out;
    this.warnings = warnings;
    this.thread = Thread.ofPlatform().daemon().name("flyball-access-log").start(this::write);
  }

  @Override
  public Optional<CallListener> listener() {
    return Optional.of(this);
  }

  @Override
  public void told(ProxiedCall call, CallStep step) {
    if (step instanceof CallStep.Ended ended && !lines.offer(line(call, ended))) {
      leftOut.incrementAndGet();
    }
  }

  private static String line(ProxiedCall call, CallStep.Ended ended) {
    var usage = ended.usage();
    return new JsonObject()
            .put("at", call.at().toString())
            .put("id", call.id())
            .put("tenant", call.caller().name())
            .put("method", call.method())
            .put("path", cut(call.path()))
            .put("model", cut(call.model()))
            .put("stream", call.streamed())
            .put("ending", ended.how().name().toLowerCase(java.util.Locale.ROOT))
            .put("status", ended.status())
            .put("attempts", ended.attempts())
            .put("waitedMs", ended.waited().toMillis())
            .put("tookMs", ended.took().toMillis())
            .put("inputTokens", usage.prompt())
            .put("outputTokens", usage.output())
            .put("costUsd", ended.cost().map(Cost::decimal).orElse(null))
            .put("bytes", ended.bytes())
            .encode()
        + "\n";
  }

  /** What strangers choose is bounded; JSON keeps it on its line. */
  private static String cut(String text) {
    return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME) + "…";
  }

  private void write() {
    try (out) {
      for (var line = lines.take(); !line.equals(END); line = lines.take()) {
        out.write(line);
        if (lines.isEmpty()) {
          out.flush();
        }
      }
    } catch (IOException full) {
      warnings.accept("the access log cannot be written and ends here: " + full.getMessage());
      lines.clear();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many lines were left out, because the disk was too slow. */
  public long leftOut() {
    return leftOut.get();
  }

  /** Writes what is left. */
  @Override
  public void close() {
    try {
      if (thread.isAlive() && lines.offer(END, 1, java.util.concurrent.TimeUnit.SECONDS)) {
        thread.join(5_000);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
