package dev.flyball.gateway.proxy;

import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.llm.Dialect;
import dev.flyball.run.BadSettings;
import dev.flyball.run.Providers;
import dev.flyball.run.RunSetup;
import dev.flyball.run.config.NearestWord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** All providers that the proxy may ask, opened before the first request. */
public final class Upstreams {
  private final RunSetup setup;
  private final Map<LaneId, LaneProfile> profiles = new ConcurrentHashMap<>();
  private volatile Opened opened = new Opened(ServeRules.USUAL, Map.of(), Map.of(), Map.of());

  /** Those that one file of rules names. */
  private record Opened(
      ServeRules rules,
      Map<Dialect, Upstream> usual,
      Map<String, Upstream> named,
      Map<Dialect, String> missing) {}

  private Upstreams(RunSetup setup) {
    this.setup = setup;
  }

  /** Opens what the settings of a run and some rules name; refuses what cannot be. */
  public static Upstreams open(RunSetup setup, ServeRules rules) {
    var all = new Upstreams(setup);
    all.ready(rules).run();
    return all;
  }

  /**
   * Opens what other rules name; if they cannot be, {@link BadSettings} says why.
   *
   * @return goes on with them
   */
  public Runnable ready(ServeRules rules) {
    var usual = new EnumMap<Dialect, Upstream>(Dialect.class);
    var missing = new EnumMap<Dialect, String>(Dialect.class);
    var named = new HashMap<String, Upstream>();
    for (var dialect : Dialect.values()) {
      var name = dialect == Dialect.ANTHROPIC ? "anthropic" : "openai";
      try {
        var own = rules.keys().get(name);
        boolean chosen = setup.providers().named().isPresent() || setup.providers().simulated();
        var from = own == null || chosen ? setup.providers() : setup.providers().other(name, own);
        upstream(from, name, dialect)
            .ifPresent(
                found -> {
                  usual.put(dialect, found);
                  named.put(found.name(), found);
                });
      } catch (BadSettings absent) {
        missing.put(dialect, String.valueOf(absent.getMessage()));
      }
    }
    var names = new ArrayList<>(rules.keys().keySet());
    rules.routes().forEach(r -> r.targets().forEach(target -> names.add(target.provider())));
    for (var name : names) {
      if (!named.containsKey(name)) {
        named.put(name, named(name, rules));
      }
    }
    if (usual.isEmpty() && named.isEmpty()) {
      throw new BadSettings(missing.values().iterator().next());
    }
    var ready = new Opened(rules, usual, named, missing);
    return () -> opened = ready;
  }

  /** One that only the file names; what is wrong with it is wrong with the file. */
  private Upstream named(String name, ServeRules rules) {
    var place = rules.places().getOrDefault(name, "serve.yaml") + ": ";
    var known = setup.catalogue().providers();
    if (!known.contains(name)) {
      throw new BadSettings(
          place + "there is no provider " + name + NearestWord.question(name, known));
    }
    try {
      var from = setup.providers().other(name, rules.keys().getOrDefault(name, List.of()));
      return upstream(from, name, from.spoken().orElseThrow()).orElseThrow();
    } catch (BadSettings wrong) {
      throw new BadSettings(place + wrong.getMessage());
    }
  }

  private Optional<Upstream> upstream(Providers from, String name, Dialect dialect) {
    var prices = from.named().orElse(name);
    return from.destination(dialect)
        .map(to -> new Upstream(prices, dialect, to, setup.catalogue(), from.profile(), profiles));
  }

  /** The rules by which it goes. */
  public ServeRules rules() {
    return opened.rules;
  }

  /** What is known of a lane. */
  public LaneProfile profile(LaneId lane) {
    return profiles.getOrDefault(lane, LaneProfile.UNKNOWN);
  }

  /** Who answers a dialect where no route says otherwise. */
  Optional<Upstream> usual(Dialect dialect) {
    return Optional.ofNullable(opened.usual.get(dialect));
  }

  Optional<Upstream> named(String name) {
    return Optional.ofNullable(opened.named.get(name));
  }

  /** Why nobody answers a dialect. */
  String missing(Dialect dialect) {
    return opened.missing.getOrDefault(dialect, "no provider is configured for this API");
  }

  /** The names of all. */
  public List<String> names() {
    return opened.named.keySet().stream().sorted().toList();
  }
}
