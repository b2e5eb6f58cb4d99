package dev.flyball.batch;

import dev.flyball.llm.Dialect;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.run.BadInput;
import dev.flyball.run.CostMeter;
import dev.flyball.run.Providers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The routes of a batch: one for each class of models that its lines ask. */
final class Router {
  private final Providers providers;
  private final ProviderCatalogue catalogue;
  private final CostMeter costs;
  private final Instant now;
  private final boolean priced;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final List<Route> routes = new ArrayList<>();
  private final Set<String> unpriced = new LinkedHashSet<>();

  /**
   * Over these providers.
   *
   * @param priced whether every model must have a price, because money is to be kept to
   */
  Router(
      Providers providers,
      ProviderCatalogue catalogue,
      CostMeter costs,
      Instant now,
      boolean priced) {
    this.providers = providers;
    this.catalogue = catalogue;
    this.costs = costs;
    this.now = now;
    this.priced = priced;
  }

  List<Route> routes() {
    return routes;
  }

  /** The number of the route that a line takes. */
  int route(InputLine line) throws BadInput {
    var found = providers.destination(line.dialect());
    if (found.isEmpty()) {
      var api = line.dialect() == Dialect.ANTHROPIC ? "Anthropic's Messages API" : "OpenAI's API";
      throw new BadInput(
          "the line is for %s, which the chosen provider does not support: choose another with --provider"
              .formatted(api));
    }
    var to = found.get();
    var endpoint = to.providers().getFirst().endpoint().provider();
    var provider = providers.simulated() ? to.style() : endpoint;
    if (priced) {
      price(provider, line.prompt().model());
    }
    var models = catalogue.modelClass(to.style(), line.prompt().model());
    var name = endpoint + "/" + models;
    var known = numbers.get(name);
    if (known != null) {
      return known;
    }
    var profile =
        providers
            .profile()
            .map(limits -> catalogue.profile(limits, models))
            .orElseGet(() -> catalogue.style(to.style()));
    routes.add(new Route(name, provider, models, to, profile));
    numbers.put(name, routes.size() - 1);
    return routes.size() - 1;
  }

  private void price(String provider, String model) {
    var most = costs.price(provider, model, now).flatMap(price -> price.most(1, 1, false));
    if (most.isEmpty()) {
      unpriced.add(costs.unknown(provider, model, now));
    }
  }

  /** Money cannot be kept to where it cannot be counted. */
  void refuseUnpriced() throws BadInput {
    if (!unpriced.isEmpty()) {
      throw new BadInput("--budget-usd: nothing was sent\n  " + String.join("\n  ", unpriced));
    }
  }
}
