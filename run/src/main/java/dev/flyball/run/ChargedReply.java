package dev.flyball.run;

import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.llm.price.Price;
import java.util.Optional;

/**
 * A reply with what it used, or may have used, and what that costs. What may have been billed
 * counts as if it was: of an answer that was lost, nobody knows how much was made, at most all.
 *
 * @param reply as a budget is charged for it: what cannot be counted costs what was held for it
 * @param cost empty when the price is not known
 */
public record ChargedReply<T>(Reply<T> reply, Usage usage, Optional<Cost> cost) {

  /** What an attempt came to that was held for an estimate, by a price if that is known. */
  public static <T> ChargedReply<T> of(Reply<T> reply, Estimate estimate, Optional<Price> price) {
    return switch (reply) {
      case Reply.Answered<T>(var answer, var used, var signals) -> {
        var cost = price.flatMap(known -> known.cost(used));
        yield new ChargedReply<>(
            new Reply.Answered<>(answer, held(used, cost, estimate), signals), used, cost);
      }
      case Reply.CutShort<T>(var why, var said, var signals) -> {
        boolean told = said.output() > 0;
        var used = told ? said : most(estimate);
        var cost = told ? price.flatMap(known -> known.cost(used)) : estimate.cost();
        yield new ChargedReply<>(
            new Reply.CutShort<>(why, held(used, cost, estimate), signals), used, cost);
      }
      case Reply.Broken<T> broken ->
          broken.sent()
              ? new ChargedReply<>(broken, most(estimate), estimate.cost())
              : nothing(broken);
      case Reply.Throttled<T> throttled -> nothing(throttled);
      case Reply.Overloaded<T> overloaded -> nothing(overloaded);
      case Reply.Rejected<T> rejected -> rejected(rejected, estimate, price);
    };
  }

  private static <T> ChargedReply<T> rejected(
      Reply.Rejected<T> rejected, Estimate estimate, Optional<Price> price) {
    var used = rejected.usage();
    if (used.tokens() == 0) {
      return nothing(rejected);
    }
    var cost = price.flatMap(known -> known.cost(used));
    var charged =
        new Reply.Rejected<T>(
            rejected.message(),
            rejected.advice(),
            rejected.whole(),
            rejected.until(),
            held(used, cost, estimate));
    return new ChargedReply<>(charged, used, cost);
  }

  private static <T> ChargedReply<T> nothing(Reply<T> reply) {
    return new ChargedReply<>(reply, Usage.NONE, Optional.of(Cost.NOTHING));
  }

  private static Usage most(Estimate estimate) {
    return Usage.of(estimate.input(), estimate.maxOutput());
  }

  private static Usage held(Usage used, Optional<Cost> cost, Estimate estimate) {
    return used.costing(cost.or(estimate::cost).orElse(Cost.NOTHING));
  }
}
