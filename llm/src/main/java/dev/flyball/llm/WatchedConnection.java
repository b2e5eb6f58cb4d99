package dev.flyball.llm;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.InstantSource;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.HttpConnectionFactory;
import org.apache.hc.core5.http.io.HttpMessageParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.util.Identifiable;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is never used again once there is something behind a reply: it would be taken
 * for the answer to the next request. It looks when it is given back and when it is taken again: at
 * what was read already, and at what the system holds for it. Only one that has rested for a while
 * is also read from, to hear that the other side has hung up, because that takes a millisecond.
 *
 * <p>What the system holds of an encrypted connection need not be an answer: TLS 1.3 sends tickets
 * for later sessions whenever it likes, often right after the handshake. So there it is read, which
 * takes tickets away and leaves nothing; if it is more than that, the connection is lost anyway.
 */
final class WatchedConnection implements InvocationHandler {
  private static final long RESTED_MILLIS = 100;

  private final InstantSource clock;
  private final ManagedHttpClientConnection connection;
  private @Nullable SessionInputBuffer read;
  private @Nullable Socket socket;
  private @Nullable SSLSocket secured;
  private long restsSince;

  private WatchedConnection(InstantSource clock) throws IOException {
    this.clock = clock;
    this.connection =
        ManagedHttpClientConnectionFactory.builder()
            .responseParserFactory(config -> parser())
            .build()
            .createConnection(null);
  }

  static HttpConnectionFactory<ManagedHttpClientConnection> factory(InstantSource clock) {
    return socket -> {
      var connection =
          (ManagedHttpClientConnection)
              Proxy.newProxyInstance(
                  WatchedConnection.class.getClassLoader(),
                  new Class<?>[] {ManagedHttpClientConnection.class, Identifiable.class},
                  new WatchedConnection(clock));
      if (socket != null) {
        connection.bind(socket);
      }
      return connection;
    };
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    switch (method.getName()) {
      case "bind" -> {
        if (arguments != null) {
          // The last is the one without encryption.
          socket = (Socket) arguments[arguments.length - 1];
          secured = arguments[0] instanceof SSLSocket tls ? tls : null;
        }
      }
      case "passivate" -> restsSince = clock.millis();
      case "isConsistent" -> {
        return connection.isConsistent() && !hasMore();
      }
      case "sendRequestHeader" -> {
        if (hasMore()) {
          throw new IOException("the server spoke before it was asked");
        }
      }
      case "isStale" -> {
        return isStale();
      }
      default -> {}
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  private boolean isStale() throws IOException {
    boolean rested = Math.abs(clock.millis() - restsSince) > RESTED_MILLIS;
    return hasMore() || (rested && (connection.isStale() || hasMore()));
  }

  private boolean hasMore() {
    try {
      return (read != null && read.length() > 0)
          || (socket != null
              && !socket.isClosed()
              && socket.getInputStream().available() > 0
              && (secured == null || isMore(secured)));
    } catch (IOException gone) {
      return true;
    }
  }

  /** Whether what came over an encrypted connection is for us, or its end. */
  private static boolean isMore(SSLSocket secured) throws IOException {
    int usual = secured.getSoTimeout();
    secured.setSoTimeout(1);
    try {
      int ignored = secured.getInputStream().read();
      return true;
    } catch (SocketTimeoutException nothing) {
      return false;
    } finally {
      secured.setSoTimeout(usual);
    }
  }

  /** The parser is the one who is shown what was read. */
  private HttpMessageParser<ClassicHttpResponse> parser() {
    return new DefaultHttpResponseParser(Http1Config.DEFAULT) {
      @Override
      public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream from)
          throws IOException, HttpException {
        read = buffer;
        return super.parse(buffer, from);
      }
    };
  }
}
