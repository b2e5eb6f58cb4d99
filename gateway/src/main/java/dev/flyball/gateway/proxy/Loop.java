package dev.flyball.gateway.proxy;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.TrustOptions;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * What one event loop has for itself: connections to providers, and the requests it is busy with. A
 * request and its attempts stay on one loop, so nothing of it is shared.
 */
final class Loop {
  private static final int MOST_CONNECTIONS = 8_192;

  /** Each of them carries a hundred requests or so at a time. */
  private static final int MOST_CONNECTIONS_OF_2 = 64;

  private static final int KEPT_OF_2 = 60;
  private static final int CONNECT_TIMEOUT = 10_000;

  /** Below the five seconds after which the most impatient servers close a connection. */
  private static final int KEPT_ALIVE = 4;

  private static final long TICK = 500;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int ID_BYTES = 16;
  private static final int IDS_AT_ONCE = 256;
  private static final int LARGEST_HEAD = 64 << 10;
  private static final int LARGEST_PART = 64 << 10;

  private final Context context;
  private final Thread thread;
  private final HttpClient plain;
  private final HttpClient secured;
  private final byte[] random = new byte[ID_BYTES * IDS_AT_ONCE];
  private int randomLeft;
  private final Set<Turn> turns = new LinkedHashSet<>();
  private final Set<HttpConnection> used = Collections.newSetFromMap(new WeakHashMap<>());

  /**
   * For the loop on which it is made.
   *
   * @param trusted those who check the certificates of providers, if not the usual ones
   */
  Loop(Vertx vertx, Optional<TrustOptions> trusted) {
    this.context = vertx.getOrCreateContext();
    this.thread = Thread.currentThread();
    var pools =
        new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS).setHttp2MaxSize(MOST_CONNECTIONS_OF_2);
    this.plain = vertx.createHttpClient(options(), pools);
    var tls =
        options()
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setUseAlpn(true)
            .setHttp2KeepAliveTimeout(KEPT_OF_2);
    trusted.ifPresent(tls::setTrustOptions);
    this.secured = vertx.createHttpClient(tls, pools);
    vertx.setPeriodic(TICK, timer -> List.copyOf(turns).forEach(Turn::tick));
  }

  private static HttpClientOptions options() {
    return new HttpClientOptions()
        .setConnectTimeout(CONNECT_TIMEOUT)
        .setKeepAliveTimeout(KEPT_ALIVE)
        .setDecompressionSupported(false)
        .setTcpNoDelay(true)
        .setMaxHeaderSize(LARGEST_HEAD)
        .setMaxChunkSize(LARGEST_PART)
        .setMaxInitialLineLength(LARGEST_HEAD);
  }

  /** Connections to a provider; where they are secured, it is asked for HTTP/2. */
  HttpClient client(RequestOptions to) {
    return Boolean.TRUE.equals(to.isSsl()) ? secured : plain;
  }

  /** Sixteen random bytes, of which nobody can guess the next from those before. */
  String nextId() {
    if (randomLeft == 0) {
      RANDOM.nextBytes(random);
      randomLeft = random.length;
    }
    randomLeft -= ID_BYTES;
    return HexFormat.of().formatHex(random, randomLeft, randomLeft + ID_BYTES);
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

  /** Cuts all requests that are not over, and says when that is done; for any thread. */
  void cutAll(Runnable done) {
    context.runOnContext(
        here -> {
          List.copyOf(turns).forEach(Turn::cut);
          done.run();
        });
  }

  /**
   * Whether a connection had an earlier request, so that its server may just have closed it. Of
   * HTTP/2 a server says which requests it has not looked at, so there that is no sign.
   */
  boolean reuses(HttpClientRequest request) {
    return request.version() != HttpVersion.HTTP_2 && !used.add(request.connection());
  }
}
