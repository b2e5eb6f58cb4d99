package dev.flyball.gateway.proxy;

import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.llm.price.Price;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.ChargedReply;
import dev.flyball.run.KeyLanes;
import java.util.Optional;

/**
 * One provider of a route, as a call stands there: its lanes, what the call is taken to need, and
 * what an attempt is charged at its prices.
 */
record RouteStop(
    ModelProxy.Asked asked,
    String model,
    KeyLanes lanes,
    TokenCounter.Count count,
    Estimate estimate,
    Optional<Price> price) {

  /** For a request, by the outline of its body. */
  static RouteStop at(
      ModelProxy proxy, ModelProxy.Asked asked, ModelProxy.Way way, RequestOutline outline) {
    var model = asked.model().orElse(outline.model());
    var lanes = asked.upstream().lanes(model, way.beside());
    var count = proxy.tokens().estimate(model, outline.textBytes(), outline.images());
    var price = proxy.price(asked.upstream().name(), model);
    var estimate = proxy.estimate(count.tokens(), outline.mostOutput(), price);
    return new RouteStop(asked, model, lanes, count, estimate, price);
  }

  <T> ChargedReply<T> charged(Reply<T> reply) {
    return ChargedReply.of(reply, estimate, price);
  }

  Optional<Cost> cost(Usage used) {
    return price.flatMap(known -> known.cost(used));
  }

  /** The provider and the model, as clients are told. */
  String name() {
    return asked.upstream().name() + "/" + model;
  }
}
