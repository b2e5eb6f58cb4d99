package dev.flyball.llm;

import dev.flyball.llm.reply.ReplyHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one process. It adds nothing of its own to an attempt: no retry, no redirect,
 * no cookie, no compression, no second try of a login.
 */
public final class HttpConnections implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 4_096;
  private static final int PIECE = 8 << 10;
  private static final String WATCH = "flyball.watch";

  /** One for all, because the heap is one. */
  private static final ReplyRoom ROOM = ReplyRoom.ofHeap();

  final CloseableHttpClient client;
  final PoolingHttpClientConnectionManager connections;
  final ScheduledThreadPoolExecutor timer;
  final Timeouts timeouts;
  final InstantSource wall;
  final ReplyRoom room = ROOM;

  private final Set<AttemptWatch> underWay = ConcurrentHashMap.newKeySet();
  private volatile @Nullable String over;

  private final Proxies proxies;

  private HttpConnections(
      Timeouts timeouts,
      InstantSource wall,
      Map<String, String> environment,
      TrustedAuthorities trusted,
      HostLookup.Lookup lookup) {
    this.timeouts = timeouts;
    this.wall = wall;
    this.proxies = new Proxies(environment);
    this.timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("flyball-timeouts").factory());
    timer.setRemoveOnCancelPolicy(true);
    // Once it is closed there are no connections either, and nothing is left to time.
    timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    var pool = PoolingHttpClientConnectionManagerBuilder.create();
    if (!trusted.isUsual()) {
      pool.setTlsSocketStrategy(
          ClientTlsStrategyBuilder.create().setSslContext(trusted.context()).buildClassic());
    }
    this.connections =
        pool.setConnectionFactory(WatchedConnection.factory(wall))
            .setMaxConnTotal(MOST_CONNECTIONS)
            .setMaxConnPerRoute(MOST_CONNECTIONS)
            .setDefaultTlsConfig(TlsConfig.custom().setHandshakeTimeout(Timeout.DISABLED).build())
            .setDnsResolver(new HostLookup(lookup, timeouts.connect()))
            .setDefaultConnectionConfig(
                ConnectionConfig.custom()
                    .setConnectTimeout(Timeout.of(timeouts.connect().dividedBy(2)))
                    .setSocketTimeout(Timeout.DISABLED)
                    .setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS)
                    .build())
            .build();
    this.client =
        HttpClients.custom()
            .setConnectionManager(connections)
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setConnectionRequestTimeout(Timeout.of(timeouts.connect()))
                    .build())
            .setRoutePlanner(proxies)
            .addExecInterceptorBefore(
                ChainElement.MAIN_TRANSPORT.name(), "flyball-connected", HttpConnections::connected)
            .setConnectionReuseStrategy(HttpConnections::isReusable)
            .setUserAgent("flyball")
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableContentCompression()
            .disableDefaultUserAgent()
            .build();
  }

  /**
   * Opens nothing yet.
   *
   * @param wall the wall clock, for dates in headers
   * @param environment where {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY} are
   */
  public static HttpConnections of(
      Timeouts timeouts, InstantSource wall, Map<String, String> environment) {
    return of(timeouts, wall, environment, TrustedAuthorities.USUAL);
  }

  /**
   * The same with other authorities.
   *
   * @param trusted who may vouch for a server
   */
  public static HttpConnections of(
      Timeouts timeouts,
      InstantSource wall,
      Map<String, String> environment,
      TrustedAuthorities trusted) {
    return new HttpConnections(timeouts, wall, environment, trusted, InetAddress::getAllByName);
  }

  static HttpConnections of(
      Timeouts timeouts,
      InstantSource wall,
      Map<String, String> environment,
      HostLookup.Lookup lookup) {
    return new HttpConnections(timeouts, wall, environment, TrustedAuthorities.USUAL, lookup);
  }

  /** Sends a request and waits for the head of its reply. */
  ClassicHttpResponse open(HttpPost post, URI address, AttemptWatch watch) throws IOException {
    var context = HttpClientContext.create();
    context.setAttribute(WATCH, watch);
    return client.executeOpen(HttpHost.create(address), post, context);
  }

  /**
   * One exchange with a server that is no provider. It is never repeated here, and an error is a
   * reply as any other.
   *
   * @throws WebRequest.Failure if there is no whole reply
   */
  public WebRequest.Answer send(WebRequest request) throws WebRequest.Failure {
    var message = new HttpUriRequestBase(request.method(), request.address());
    request.headers().forEach(message::setHeader);
    if (!request.body().isEmpty()) {
      message.setEntity(new StringEntity(request.body(), ContentType.APPLICATION_JSON));
    }
    var watch = watch(timeouts, message::cancel);
    try {
      var context = HttpClientContext.create();
      context.setAttribute(WATCH, watch);
      var response = client.executeOpen(HttpHost.create(request.address()), message, context);
      watch.headersCame();
      var headers = new LinkedHashMap<String, List<String>>();
      for (var header : response.getHeaders()) {
        headers.computeIfAbsent(header.getName(), name -> new ArrayList<>()).add(header.getValue());
      }
      var head = new ReplyHead(response.getCode(), headers, wall.instant());
      var body = new ByteArrayOutputStream();
      if (response.getEntity() != null) {
        var in = response.getEntity().getContent();
        var piece = new byte[PIECE];
        for (int length; (length = in.read(piece)) >= 0; ) {
          body.write(piece, 0, length);
          watch.pieceCame(body.size());
          if (body.size() > request.longest()) {
            throw new IOException(
                "the reply is longer than %,d bytes".formatted(request.longest()));
          }
        }
      }
      return new WebRequest.Answer(head, body.toByteArray());
    } catch (IOException | RuntimeException failure) {
      var why = ConnectionFailure.of(failure, watch.hasConnected(), false);
      throw new WebRequest.Failure(
          watch.ranOut().orElse(why.message()),
          watch.hasConnected(),
          watch.ranOut().isEmpty() && why.remedy().isPresent(),
          failure);
    } finally {
      ended(watch);
      message.cancel();
    }
  }

  /** Of a reply that says its length in two ways, nobody knows where it ends. */
  private static boolean isReusable(
      HttpRequest request, HttpResponse response, HttpContext context) {
    int lengths = response.countHeaders("Content-Length");
    int codings = response.countHeaders("Transfer-Encoding");
    return lengths + codings <= 1
        && DefaultClientConnectionReuseStrategy.INSTANCE.keepAlive(request, response, context);
  }

  /** The clocks of an attempt that begins. */
  AttemptWatch watch(Timeouts limits, Runnable cut) {
    var watch = new AttemptWatch(timer, limits, cut);
    underWay.add(watch);
    if (over != null) {
      watch.cut(over);
    }
    return watch;
  }

  void ended(AttemptWatch watch) {
    watch.close();
    underWay.remove(watch);
  }

  /** Cuts every attempt that is in flight, and every one that comes later. */
  public void cut(String why) {
    over = why;
    underWay.forEach(watch -> watch.cut(why));
  }

  /** Between connecting, through whatever proxy, and sending. */
  private static ClassicHttpResponse connected(
      ClassicHttpRequest request, ExecChain.Scope scope, ExecChain rest)
      throws IOException, HttpException {
    if (scope.clientContext.getAttribute(WATCH) instanceof AttemptWatch watch) {
      watch.connected();
    }
    return rest.proceed(request, scope);
  }

  /** The proxy through which an address is reached, if any. */
  Optional<URI> proxyFor(URI address) {
    return proxies.of(HttpHost.create(address));
  }

  public Provider provider(Endpoint endpoint) {
    return new Provider(this, endpoint);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    client.close(CloseMode.IMMEDIATE);
  }

  /** The proxies through which hosts are reached, as the environment says. */
  private static final class Proxies extends DefaultRoutePlanner {
    private final Map<String, String> environment;

    Proxies(Map<String, String> environment) {
      super(null);
      this.environment = environment;
      List.of("https_proxy", "http_proxy").forEach(this::address);
    }

    @Override
    protected @Nullable HttpHost determineProxy(HttpHost target, HttpContext context) {
      return of(target)
          .map(proxy -> new HttpHost(proxy.getScheme(), proxy.getHost(), proxy.getPort()))
          .orElse(null);
    }

    Optional<URI> of(HttpHost target) {
      var proxy = address(target.getSchemeName() + "_proxy");
      return proxy.isEmpty() || excepted(target) ? Optional.empty() : proxy;
    }

    private Optional<URI> address(String name) {
      var said = variable(name);
      if (said.isEmpty()) {
        return Optional.empty();
      }
      try {
        var address = new URI(said.contains("://") ? said : "http://" + said);
        if (address.getHost() != null) {
          return Optional.of(address);
        }
      } catch (URISyntaxException garbled) {
        // It may hold a password, so nothing of it is repeated.
      }
      throw new IllegalArgumentException(
          name.toUpperCase(Locale.ROOT)
              + ": an address looks like http://host:3128, and this does not");
    }

    private String variable(String name) {
      return environment.getOrDefault(
          name, environment.getOrDefault(name.toUpperCase(Locale.ROOT), ""));
    }

    private boolean excepted(HttpHost target) {
      var host = target.getHostName().toLowerCase(Locale.ROOT);
      if (Loopback.is(host)) {
        return true;
      }
      var port = ":" + DefaultSchemePortResolver.INSTANCE.resolve(target);
      for (var exception : variable("no_proxy").toLowerCase(Locale.ROOT).split(",", -1)) {
        var name = exception.strip();
        var bare =
            (name.endsWith(port) ? name.substring(0, name.length() - port.length()) : name)
                .replaceFirst("^\\*?\\.", "");
        if (name.equals("*")
            || (!bare.isEmpty() && (host.equals(bare) || host.endsWith("." + bare)))) {
          return true;
        }
      }
      return false;
    }
  }
}
