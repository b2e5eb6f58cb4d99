package dev.flyball.simulator;

import dev.flyball.simulator.provider.Stats;
import dev.flyball.simulator.setting.Settings;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A running provider on this machine's loopback address. */
public final class Simulator implements AutoCloseable {
  private final ReentrantLock closing = new ReentrantLock();
  private final Vertx vertx;
  private final Server server;
  private final int port;
  private @Nullable Stats last;

  private Simulator(Vertx vertx, Server server, int port) {
    this.vertx = vertx;
    this.server = server;
    this.port = port;
  }

  /**
   * Starts one; port 0 is any that is free.
   *
   * @throws IOException if the port cannot be had
   */
  public static Simulator start(Settings settings, int port) throws IOException {
    settings.checked();
    VertxOptions options = new VertxOptions(new JsonObject());
    options.setEventLoopPoolSize(1).setWorkerPoolSize(1).setInternalBlockingPoolSize(1);
    options.getFileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
    Vertx vertx = Vertx.vertx(options);
    Server server = new Server(vertx, settings.copy());
    HttpServerOptions http =
        new HttpServerOptions()
            .setHost("127.0.0.1")
            .setPort(port)
            .setMaxHeaderSize(64 * 1024)
            .setAcceptBacklog(4_096)
            .setTcpNoDelay(true);
    try {
      int bound =
          vertx
              .createHttpServer(http)
              .requestHandler(server::handle)
              .listen()
              .toCompletionStage()
              .toCompletableFuture()
              .join()
              .actualPort();
      return new Simulator(vertx, server, bound);
    } catch (CompletionException e) {
      vertx.close();
      throw new IOException("port " + port + " cannot be had: " + String.valueOf(e.getCause()), e);
    }
  }

  public int port() {
    return port;
  }

  /** The root, without {@code /v1}. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** What it has seen since it started or was reset. */
  public Stats stats() {
    closing.lock();
    try {
      return last == null ? current() : last;
    } finally {
      closing.unlock();
    }
  }

  private Stats current() {
    CompletableFuture<Stats> stats = new CompletableFuture<>();
    vertx.runOnContext(loop -> stats.complete(server.provider().stats()));
    return stats.join();
  }

  @Override
  public void close() {
    closing.lock();
    try {
      if (last == null) {
        last = current();
        vertx.close().toCompletionStage().toCompletableFuture().join();
      }
    } finally {
      closing.unlock();
    }
  }
}
