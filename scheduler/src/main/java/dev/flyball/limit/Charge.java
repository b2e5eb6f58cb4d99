package dev.flyball.limit;

import dev.flyball.call.Estimate;
import dev.flyball.call.Usage;

/** What a provider counts of a call in one dimension: before it ran, and after. */
public enum Charge {
  /** One for each call. */
  ONE {
    @Override
    public long before(Estimate estimate, long expectedOutput) {
      return 1;
    }

    @Override
    public long after(Usage usage) {
      return 1;
    }
  },
  /** Input that is not read from the cache. */
  INPUT {
    @Override
    public long before(Estimate estimate, long expectedOutput) {
      return estimate.input();
    }

    @Override
    public long after(Usage usage) {
      return usage.input() + usage.cacheWrite();
    }
  },
  /** Output, at its expected size until it is known. */
  OUTPUT {
    @Override
    public long before(Estimate estimate, long expectedOutput) {
      return expectedOutput;
    }

    @Override
    public long after(Usage usage) {
      return usage.output();
    }
  },
  /** Input and output, the latter at its expected size until it is known. */
  INPUT_AND_OUTPUT {
    @Override
    public long before(Estimate estimate, long expectedOutput) {
      return estimate.input() + expectedOutput;
    }

    @Override
    public long after(Usage usage) {
      return usage.tokens() - usage.cacheRead();
    }
  },
  /** Input and the most output there can be. */
  INPUT_AND_MOST_OUTPUT {
    @Override
    public long before(Estimate estimate, long expectedOutput) {
      return estimate.most();
    }

    @Override
    public long after(Usage usage) {
      return usage.tokens() - usage.cacheRead();
    }
  },
  /** The larger of the input and the most output there can be. */
  LARGER_OF_INPUT_AND_MOST_OUTPUT {
    @Override
    public long before(Estimate estimate, long expectedOutput) {
      return Math.max(estimate.input(), estimate.maxOutput());
    }

    @Override
    public long after(Usage usage) {
      return usage.tokens() - usage.cacheRead();
    }
  };

  public abstract long before(Estimate estimate, long expectedOutput);

  public abstract long after(Usage usage);
}
