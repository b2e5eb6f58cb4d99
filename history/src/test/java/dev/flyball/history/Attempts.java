package dev.flyball.history;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import dev.flyball.history.record.AttemptOutcome;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CallKey;
import dev.flyball.history.record.PriceBasis;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Attempts that were never made, from a seed. */
public final class Attempts {
  public static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");

  private final SplittableRandom random;

  public Attempts(long seed) {
    random = new SplittableRandom(seed);
  }

  public AttemptRecord next(String run) {
    var call =
        CallKey.of(
                one("anthropic/large", "openai/small"),
                one("model-a", "model-b", "Modell-ß \ud83d\ude80"),
                "q" + random.nextInt(1_000))
            .lens(one("", "security", "tests"))
            .expecting(random.nextLong(5_000), random.nextLong(9_000));
    var usage =
        new Usage(
            random.nextLong(5_000),
            random.nextLong(3_000),
            random.nextLong(2_000),
            random.nextLong(4_000),
            new Cost(random.nextLong(100_000)));
    var outcome = List.copyOf(EnumSet.allOf(AttemptOutcome.class)).get(random.nextInt(6));
    return new AttemptRecord(
        run,
        call,
        1 + random.nextInt(3),
        outcome,
        outcome == AttemptOutcome.THROTTLED ? one("", "requests", "output_tokens") : "",
        usage,
        random.nextInt(4) == 0 ? PriceBasis.UNKNOWN : new PriceBasis.Listed("2026-11-01"),
        Duration.ofMillis(random.nextLong(60_000)),
        Map.of("slot", Duration.ofMillis(random.nextLong(3)), "requests", Duration.ofMillis(7)),
        NOON.minus(Duration.ofMinutes(random.nextLong(300))));
  }

  private String one(String... of) {
    return List.of(of).get(random.nextInt(of.length));
  }
}
