package dev.flyball.simulator.limit;

import dev.flyball.simulator.value.RandomDraw;

/**
 * The prices of a request in units of the limits of its class of models.
 *
 * @param cacheReads whether input from the prompt cache counts
 * @param error how far an estimate of input may be off, as a share of the truth
 * @param seed which estimate is off by how much
 */
public record Tariff(boolean cacheReads, double error, long seed) {

  /** The input that counts. */
  public long counted(InputSplit split) {
    return split.fresh() + split.written() + (cacheReads ? split.read() : 0);
  }

  private long estimate(ModelRequest ask, InputSplit split) {
    long truth = counted(split);
    if (error == 0) {
      return truth;
    }
    double off = error * (2 * ask.call().draw(seed, RandomDraw.Purpose.ESTIMATE).share() - 1);
    return Math.round(truth * (1 + off));
  }

  /** What is charged on admission. */
  public long charge(Limit limit, ModelRequest ask, InputSplit split) {
    if (!ask.metered() && limit.charge() != Limit.Charge.ONE) {
      return 0;
    }
    return switch (limit.charge()) {
      case ONE -> 1;
      case INPUT -> estimate(ask, split);
      case LARGER -> Math.max(ask.longest(), estimate(ask, split));
      case SUM -> ask.longest() + estimate(ask, split);
      case LONGEST -> ask.longest();
      case NOTHING -> 0;
    };
  }

  /** What must be there on admission: something, even if it is charged later. */
  public long needed(Limit limit, ModelRequest ask, InputSplit split) {
    return limit.charge() == Limit.Charge.NOTHING && ask.metered() ? 1 : charge(limit, ask, split);
  }

  /**
   * What should have been charged, now that it is known.
   *
   * @param worked false if nothing was done for the request: then only the request itself counts
   */
  public long truth(Limit limit, InputSplit split, long produced, boolean worked) {
    long input = worked ? counted(split) : 0;
    return switch (limit.dimension()) {
      case REQUESTS -> 1;
      case IN_FLIGHT -> 0;
      case INPUT -> input;
      case OUTPUT -> produced;
      case TOKENS -> input + produced;
    };
  }
}
