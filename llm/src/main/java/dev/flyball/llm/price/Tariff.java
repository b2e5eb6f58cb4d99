package dev.flyball.llm.price;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import java.math.BigInteger;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The prices of a million tokens of each kind; empty is not known, and never zero.
 *
 * <p>What is not known is never guessed low. A read from the cache without a price of its own is
 * charged as input, because no provider charges more for it. A write has no such fallback: some
 * providers charge more for it than for input, so what has such writes has no known cost.
 *
 * @param cacheWrite5m what is kept for minutes
 * @param cacheWrite1h what is kept for an hour
 */
public record Tariff(
    Optional<Cost> input,
    Optional<Cost> output,
    Optional<Cost> cacheRead,
    Optional<Cost> cacheWrite5m,
    Optional<Cost> cacheWrite1h) {
  private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);

  /** What a usage costs, rounded up once; empty if it has tokens of a kind without a price. */
  Optional<Cost> cost(Usage usage) {
    return Stream.of(
            part(usage.input(), input),
            part(usage.cacheRead(), cacheRead.or(() -> input)),
            part(usage.cacheWrite() - usage.cachedForAnHour(), cacheWrite5m),
            part(usage.cachedForAnHour(), cacheWrite1h),
            part(usage.output(), output))
        .reduce(Tariff::sum)
        .flatMap(sum -> sum)
        .map(Tariff::roundedUp);
  }

  /**
   * The most that so many tokens can cost; those of a cache may be written at the dearest price.
   */
  Optional<Cost> most(long inputTokens, long outputTokens, boolean caching) {
    var writes = Stream.of(cacheWrite5m, cacheWrite1h).flatMap(Optional::stream);
    var dearest = writes.max(Cost::compareTo);
    var each =
        !caching
            ? input
            : dearest.flatMap(write -> input.map(read -> write.compareTo(read) > 0 ? write : read));
    return sum(part(inputTokens, each), part(outputTokens, output)).map(Tariff::roundedUp);
  }

  private static Optional<BigInteger> part(long tokens, Optional<Cost> million) {
    return tokens == 0
        ? Optional.of(BigInteger.ZERO)
        : million.map(
            price -> BigInteger.valueOf(price.micros()).multiply(BigInteger.valueOf(tokens)));
  }

  private static Optional<BigInteger> sum(Optional<BigInteger> one, Optional<BigInteger> other) {
    return one.flatMap(left -> other.map(left::add));
  }

  private static Cost roundedUp(BigInteger millionths) {
    var parts = millionths.divideAndRemainder(MILLION);
    return new Cost(parts[0].longValueExact() + parts[1].signum());
  }
}
