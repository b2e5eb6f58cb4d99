package dev.flyball.gateway.proxy;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.PoolOptions;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * What one event loop has for itself: connections to providers, and the requests it is busy with. A
 * request and its attempts stay on one loop, so nothing of it is shared.
 */
final class Loop {
  private static final int MOST_CONNECTIONS = 8_192;
  private static final int CONNECT_TIMEOUT = 10_000;

  /** Below the five seconds after which the most impatient servers close a connection. */
  private static final int KEPT_ALIVE = 4;

  private static final long TICK = 500;
  private static final int LARGEST_HEAD = 64 << 10;

  private final Context context;
  private final Thread thread;
  private final HttpClient client;
  private final Set<Turn> turns = new LinkedHashSet<>();
  private final Set<HttpConnection> used = Collections.newSetFromMap(new WeakHashMap<>());

  /** For the loop on which it is made. */
  Loop(Vertx vertx) {
    this.context = vertx.getOrCreateContext();
    this.thread = Thread.currentThread();
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout(CONNECT_TIMEOUT)
                .setKeepAliveTimeout(KEPT_ALIVE)
                .setDecompressionSupported(false)
                .setTcpNoDelay(true)
                .setMaxHeaderSize(LARGEST_HEAD)
                .setMaxInitialLineLength(LARGEST_HEAD),
            new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS));
    vertx.setPeriodic(TICK, timer -> List.copyOf(turns).forEach(Turn::tick));
  }

  HttpClient client() {
    return client;
  }

  Context context() {
    return context;
  }

  boolean isHere() {
    return Thread.currentThread().equals(thread);
  }

  void begins(Turn turn) {
    turns.add(turn);
  }

  void ended(Turn turn) {
    turns.remove(turn);
  }

  /** Whether a connection had an earlier request, so that its server may just have closed it. */
  boolean reuses(HttpConnection connection) {
    return !used.add(connection);
  }
}
