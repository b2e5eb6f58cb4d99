package dev.flyball.llm;

import java.net.URI;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one process. It adds nothing of its own to an attempt: no retry, no redirect,
 * no cookie, no compression, no second try of a login.
 */
public final class Http implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 4_096;

  final CloseableHttpClient client;
  final ScheduledThreadPoolExecutor timer;
  final Timeouts timeouts;
  final InstantSource wall;

  private Http(Timeouts timeouts, InstantSource wall, Map<String, String> environment) {
    this.timeouts = timeouts;
    this.wall = wall;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("flyball-timeouts").factory());
    timer.setRemoveOnCancelPolicy(true);
    var connections =
        PoolingHttpClientConnectionManagerBuilder.create()
            .setMaxConnTotal(MOST_CONNECTIONS)
            .setMaxConnPerRoute(MOST_CONNECTIONS)
            .setDefaultConnectionConfig(
                ConnectionConfig.custom()
                    .setConnectTimeout(Timeout.of(timeouts.connect()))
                    .setSocketTimeout(Timeout.DISABLED)
                    .setValidateAfterInactivity(TimeValue.ofSeconds(1))
                    .build())
            .build();
    this.client =
        HttpClients.custom()
            .setConnectionManager(connections)
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setConnectionRequestTimeout(Timeout.of(timeouts.connect()))
                    .build())
            .setRoutePlanner(new Proxies(environment))
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
  public static Http of(Timeouts timeouts, InstantSource wall, Map<String, String> environment) {
    return new Http(timeouts, wall, environment);
  }

  public Provider provider(Endpoint endpoint) {
    return new Provider(this, endpoint);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    client.close(CloseMode.IMMEDIATE);
  }

  /** Which hosts are reached through a proxy, as the environment says. */
  private static final class Proxies extends DefaultRoutePlanner {
    private final Map<String, String> environment;

    Proxies(Map<String, String> environment) {
      super(null);
      this.environment = environment;
    }

    @Override
    protected @Nullable HttpHost determineProxy(HttpHost target, HttpContext context) {
      var proxy = variable(target.getSchemeName() + "_proxy");
      return proxy.isEmpty() || excepted(target.getHostName()) ? null : host(proxy);
    }

    private String variable(String name) {
      return environment.getOrDefault(
          name, environment.getOrDefault(name.toUpperCase(Locale.ROOT), ""));
    }

    private boolean excepted(String host) {
      if (host.equals("localhost") || host.startsWith("127.")) {
        return true;
      }
      for (var name : variable("no_proxy").split(",", -1)) {
        var bare = name.strip().replaceFirst("^\\*?\\.", "");
        if (name.strip().equals("*")
            || (!bare.isEmpty() && (host.equals(bare) || host.endsWith("." + bare)))) {
          return true;
        }
      }
      return false;
    }

    private static HttpHost host(String proxy) {
      var uri = URI.create(proxy.contains("://") ? proxy : "http://" + proxy);
      return new HttpHost(uri.getScheme(), uri.getHost(), uri.getPort());
    }
  }
}
