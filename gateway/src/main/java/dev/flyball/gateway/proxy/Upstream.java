package dev.flyball.gateway.proxy;

import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.Provider;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.run.BadSettings;
import dev.flyball.run.Destination;
import dev.flyball.run.KeyLanes;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.ProxyType;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A provider as the proxy asks it: its lanes by class of models, and its addresses by path. */
final class Upstream {
  /** More classes than any provider has; clients may make names up. */
  private static final int MOST_CLASSES = 500;

  private static final int MOST_PATHS = 200;
  private static final String OTHERS = "other";

  private final String name;
  private final Dialect dialect;
  private final Destination to;
  private final ProviderCatalogue catalogue;
  private final Optional<String> account;
  private final Map<LaneId, LaneProfile> profiles;
  private final Map<String, KeyLanes> lanes = new ConcurrentHashMap<>();
  private final Map<String, KeyLanes> byModel = new ConcurrentHashMap<>();
  private final Map<Provider, Map<String, RequestOptions>> addresses = new ConcurrentHashMap<>();
  private final Map<Provider, List<Map.Entry<String, String>>> headers = new ConcurrentHashMap<>();

  /**
   * At a destination.
   *
   * @param profiles gets what is known of each lane, before it is used first
   */
  Upstream(
      String name,
      Dialect dialect,
      Destination to,
      ProviderCatalogue catalogue,
      Optional<String> account,
      Map<LaneId, LaneProfile> profiles) {
    this.name = name;
    this.dialect = dialect;
    this.to = to;
    this.catalogue = catalogue;
    this.account = account;
    this.profiles = profiles;
    if (first().proxy().filter(proxy -> !"http".equals(proxy.getScheme())).isPresent()) {
      throw new BadSettings("HTTPS_PROXY: the gateway knows proxies at http://host:port only");
    }
  }

  /** By which its prices are listed. */
  String name() {
    return name;
  }

  Dialect dialect() {
    return dialect;
  }

  /** The lanes of a model, one for each key; what a path asks beside models has its own limits. */
  KeyLanes lanes(String model, String beside) {
    var asked = beside.isEmpty() ? model : model + beside;
    var known = byModel.get(asked);
    if (known != null) {
      return known;
    }
    var models = catalogue.modelClass(to.style(), model) + beside;
    var named = lanes.containsKey(models) || lanes.size() < MOST_CLASSES ? models : OTHERS;
    var found = lanes.computeIfAbsent(named, this::open);
    if (byModel.size() < MOST_CLASSES) {
      byModel.put(asked, found);
    }
    return found;
  }

  private KeyLanes open(String models) {
    var keys = new KeyLanes(to, models);
    var profile =
        account
            .map(limits -> catalogue.profile(limits, models))
            .orElseGet(() -> catalogue.style(to.style()));
    keys.all().forEach(lane -> profiles.put(lane.id(), profile));
    return keys;
  }

  /** The provider under its first key, for what nobody paces. */
  Provider first() {
    return to.providers().getFirst();
  }

  /** The address of a path under one of its keys, with its query. */
  RequestOptions address(Provider under, HttpMethod method, String uri) {
    var known = addresses.computeIfAbsent(under, key -> new ConcurrentHashMap<>());
    var address = known.get(uri);
    if (address == null) {
      var whole = under.endpoint().resolve(uri);
      boolean tls = "https".equalsIgnoreCase(whole.getScheme());
      int port = whole.getPort() >= 0 ? whole.getPort() : tls ? 443 : 80;
      var query = whole.getRawQuery() == null ? "" : "?" + whole.getRawQuery();
      address =
          new RequestOptions()
              .setHost(whole.getHost())
              .setPort(port)
              .setSsl(tls)
              .setURI(whole.getRawPath() + query);
      under.proxy().map(Upstream::through).ifPresent(address::setProxyOptions);
      if (known.size() < MOST_PATHS) {
        known.put(uri, address);
      }
    }
    return new RequestOptions(address).setMethod(method);
  }

  private static ProxyOptions through(URI proxy) {
    var options =
        new ProxyOptions()
            .setType(ProxyType.HTTP)
            .setHost(proxy.getHost())
            .setPort(proxy.getPort() < 0 ? 80 : proxy.getPort());
    var login = proxy.getUserInfo();
    if (login != null) {
      int colon = login.indexOf(':');
      options.setUsername(colon < 0 ? login : login.substring(0, colon));
      options.setPassword(colon < 0 ? "" : login.substring(colon + 1));
    }
    return options;
  }

  /** What is sent with every request under a key, which is among it. */
  List<Map.Entry<String, String>> headers(Provider under) {
    return headers.computeIfAbsent(
        under, key -> List.copyOf(key.endpoint().headersFor(dialect).entrySet()));
  }
}
