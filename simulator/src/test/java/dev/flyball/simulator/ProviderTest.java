package dev.flyball.simulator;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The provider without a network, in virtual time. */
final class ProviderTest {
  private static final long SECOND = 1_000_000;

  private static Ask ask(String id, int attempt, long input, long longest, long output) {
    return new Ask(
        "key",
        "m",
        id,
        Draw.hash(id),
        attempt,
        input,
        List.of(),
        longest,
        Math.min(longest, output),
        true);
  }

  private static Optional<Serving> admit(Provider provider, Ask ask, long now) {
    return provider.admit(ask, now) instanceof Verdict.Admitted(Serving serving)
        ? Optional.of(serving)
        : Optional.empty();
  }

  private static Serving served(Provider provider, Ask ask, long now) {
    return admit(provider, ask, now).orElseThrow();
  }

  private static Rejection rejection(Provider provider, Ask ask, long now) {
    return switch (provider.admit(ask, now)) {
      case Verdict.Rejected rejected -> rejected.why();
      case Verdict.Admitted admitted -> throw new AssertionError("admitted");
    };
  }

  /** Sends whatever it can at random moments, cutting some; returns the ledger. */
  private static List<Entry> storm(Settings settings, long seed, long until) {
    record Ending(long at, Serving serving) {}
    Random random = new Random(seed);
    Provider provider = new Provider(settings.ledger(1_000_000));
    PriorityQueue<Ending> endings = new PriorityQueue<>(Comparator.comparingLong(Ending::at));
    long now = 0;
    for (int i = 0; now < until; i++) {
      now += random.nextInt(120_000);
      while (!endings.isEmpty() && endings.peek().at() <= now) {
        Ending ending = endings.remove();
        if (random.nextInt(10) == 0) {
          provider.cut(ending.serving(), ending.at());
        } else {
          provider.finish(ending.serving(), ending.at());
        }
      }
      Ask ask =
          ask("c" + i, 0, 1 + random.nextInt(400), 1 + random.nextInt(300), random.nextInt(300));
      long at = now;
      admit(provider, ask, at)
          .ifPresent(
              serving -> endings.add(new Ending(Math.max(at, serving.finishedAt()), serving)));
    }
    return provider.ledger().entries();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void over_any_interval_no_more_is_admitted_than_the_burst_and_the_refill(long seed) {
    Settings settings =
        Settings.of("unlimited")
            .limit("requests=301/min")
            .burst("requests=" + (1 + seed))
            .limit("input=40_007/min")
            .burst("input=2000")
            .limit("tokens=50000/min")
            .burst("tokens=3001")
            .estimateError(0.2)
            .foreign(seed % 2 == 0 ? 0.3 : 0)
            .latency(Latency.parse("150ms+3ms~0.5"));

    List<Entry> ledger = storm(settings, seed, 120 * SECOND);

    Map<String, List<Entry>> byLimit = new HashMap<>();
    for (Entry entry : ledger) {
      Limit limit = entry.limit();
      if (limit != null && entry.what() != Entry.What.REJECTED) {
        String name = entry.scope() + limit.dimension() + limit.period();
        byLimit.computeIfAbsent(name, key -> new ArrayList<>()).add(entry);
      }
    }
    assertThat(byLimit).hasSize(3);
    byLimit.values().forEach(ProviderTest::holds);
  }

  /**
   * From the ledger alone: whatever was charged at a moment was there, for every interval before.
   */
  private static void holds(List<Entry> entries) {
    Limit limit = requireNonNull(entries.getFirst().limit());
    BigInteger amount = BigInteger.valueOf(limit.amount());
    BigInteger period = BigInteger.valueOf(Words.micros(limit.period()));
    BigInteger burst = BigInteger.valueOf(limit.burst()).multiply(period);
    for (int from = 0; from < entries.size(); from++) {
      BigInteger used = BigInteger.ZERO;
      for (int to = from; to < Math.min(entries.size(), from + 400); to++) {
        Entry entry = entries.get(to);
        boolean back = entry.what() == Entry.What.REFUNDED;
        BigInteger moved = BigInteger.valueOf(back ? -entry.amount() : entry.amount());
        used = used.add(moved.multiply(period));
        // What a settlement adds is not asked for, and may leave a debt.
        if (entry.what() == Entry.What.CHARGED || entry.what() == Entry.What.FOREIGN) {
          long elapsed = entry.at() - entries.get(from).at();
          BigInteger allowed = burst.add(amount.multiply(BigInteger.valueOf(elapsed)));
          if (used.compareTo(allowed) > 0) {
            fail("too much from %s to %s", entries.get(from), entry);
          }
        }
      }
    }
  }

  @Test
  void a_window_admits_its_limit_once_and_no_more() {
    Settings settings = Settings.of("azure").latency(Latency.NONE);
    Provider provider = new Provider(settings);
    int admitted = 0;
    for (long now = 0; now < 60 * SECOND; now += 10_000) {
      Optional<Serving> serving = admit(provider, ask("c" + now, 0, 5, 5, 5), now);
      if (serving.isPresent()) {
        admitted++;
        provider.finish(serving.get(), now);
      }
    }
    // Six windows of ten seconds, of a hundred requests each.
    assertThat(admitted).isEqualTo(600);
  }

  @Test
  void everything_is_charged_or_nothing_is() {
    Provider provider =
        new Provider(Settings.of("unlimited").limit("requests=10/min").limit("input=100/min"));

    assertThat(admit(provider, ask("a", 0, 90, 1, 1), 0)).isPresent();
    for (int i = 0; i < 20; i++) {
      assertThat(rejection(provider, ask("b" + i, 0, 50, 1, 1), 0))
          .isInstanceOfSatisfying(
              Rejection.OverLimit.class,
              over -> assertThat(over.limit().dimension()).isEqualTo(Dimension.INPUT));
    }

    // Of the requests only the one that was admitted is gone.
    for (int i = 0; i < 9; i++) {
      assertThat(admit(provider, ask("c" + i, 0, 1, 1, 1), 0)).isPresent();
    }
    assertThat(rejection(provider, ask("d", 0, 1, 1, 1), 0))
        .isInstanceOfSatisfying(
            Rejection.OverLimit.class, over -> assertThat(over.after()).isEqualTo(6 * SECOND));
  }

  @Test
  void output_is_debited_at_the_pace_at_which_it_is_produced() {
    Provider provider =
        new Provider(
            Settings.of("unlimited")
                .limit("output=600/min")
                .burst("output=100")
                .latency(Latency.parse("1s+10ms")));

    Serving serving = served(provider, ask("a", 0, 1, 1_000, 200), 0);

    assertThat(serving.finishedAt()).isEqualTo(1 * SECOND + 199 * 10_000);
    assertThat(level(serving, SECOND - 1)).isEqualTo(100);
    // Ten a second come back while a hundred a second are produced.
    assertThat(level(serving, 3 * SECOND)).isBetween(-81L, -78L);
    assertThat(rejection(provider, ask("b", 0, 1, 1_000, 200), 3 * SECOND))
        .isInstanceOf(Rejection.OverLimit.class);
  }

  private static long level(Serving serving, long now) {
    return serving.scope().sight(now).all().getFirst().level();
  }

  @Test
  void a_caller_who_leaves_pays_for_what_was_produced() {
    Provider provider =
        new Provider(
            Settings.of("groq").limit("tokens=10000/min").latency(Latency.parse("1s+10ms")));

    Serving serving = served(provider, ask("a", 0, 100, 1_000, 500), 0);
    provider.cut(serving, 2 * SECOND);

    Entry refund =
        provider.ledger().entries().stream()
            .filter(entry -> entry.what() == Entry.What.REFUNDED)
            .findFirst()
            .orElseThrow();
    assertThat(refund.amount()).isEqualTo(1_000 - 101);
    assertThat(provider.counts().stats().inFlight()).isZero();
  }

  @Test
  void a_limit_changes_when_it_was_told_to() {
    Provider provider =
        new Provider(
            Settings.of("unlimited")
                .limit("requests=600/min")
                .burst("requests=1")
                .change(Change.parse("10s:requests=60/min")));
    int before = 0;
    int after = 0;
    for (long now = 0; now < 20 * SECOND; now += 100_000) {
      if (admit(provider, ask("c" + now, 0, 1, 1, 1), now).isPresent()) {
        before += now < 10 * SECOND ? 1 : 0;
        after += now < 10 * SECOND ? 0 : 1;
      }
    }
    assertThat(before).isEqualTo(100);
    assertThat(after).isEqualTo(10);
  }

  @Test
  void somebody_else_takes_their_share_and_no_more() {
    Provider provider =
        new Provider(
            Settings.of("unlimited").limit("requests=600/min").burst("requests=10").foreign(0.4));
    int admitted = 0;
    for (long now = 0; now < 100 * SECOND; now += 10_000) {
      admitted += admit(provider, ask("c" + now, 0, 1, 1, 1), now).isPresent() ? 1 : 0;
    }
    // A greedy caller takes what the other one comes too late for.
    assertThat(admitted).isBetween(600, 1_010);
    long foreign =
        provider.ledger().entries().stream()
            .filter(entry -> entry.what() == Entry.What.FOREIGN)
            .mapToLong(Entry::amount)
            .sum();
    assertThat(admitted + foreign).isLessThanOrEqualTo(1_010);
  }

  @Test
  void use_may_not_grow_too_fast_above_the_floor() {
    Provider provider = new Provider(Settings.of("unlimited").acceleration(1_000, 1.5));

    for (int i = 0; i < 10; i++) {
      assertThat(admit(provider, ask("a" + i, 0, 100, 1, 1), i)).isPresent();
    }
    assertThat(rejection(provider, ask("b", 0, 100, 1, 1), 11))
        .isInstanceOf(Rejection.Accelerating.class);
    assertThat(admit(provider, ask("c", 0, 100, 1, 1), 70 * SECOND)).isPresent();
  }

  @Test
  void slots_are_held_until_the_answer_is_complete() {
    Provider provider = new Provider(Settings.of("deepseek").limit("in-flight=2"));
    Serving first = served(provider, ask("a", 0, 1, 1, 1), 0);
    assertThat(admit(provider, ask("b", 0, 1, 1, 1), 0)).isPresent();

    assertThat(rejection(provider, ask("c", 0, 1, 1, 1), 3_600 * SECOND))
        .isInstanceOf(Rejection.OverLimit.class);
    provider.finish(first, 3_600 * SECOND);
    assertThat(admit(provider, ask("c", 0, 1, 1, 1), 3_600 * SECOND)).isPresent();
  }

  @Test
  void chance_depends_on_the_request_and_not_on_the_order() {
    List<String> forwards = new ArrayList<>();
    List<String> backwards = new ArrayList<>();
    Settings settings = Settings.of("unlimited").fault("529:share=0.3").seed(7);
    Provider one = new Provider(settings);
    Provider other = new Provider(settings);
    for (int i = 0; i < 100; i++) {
      Serving serving = served(one, ask("c" + i, i % 3, 1, 1, 1), i);
      forwards.add(i + " " + serving.fault().isPresent());
    }
    for (int i = 99; i >= 0; i--) {
      Serving serving = served(other, ask("c" + i, i % 3, 1, 1, 1), 100 - i);
      backwards.add(i + " " + serving.fault().isPresent());
    }
    assertThat(backwards).containsExactlyInAnyOrderElementsOf(forwards);
    assertThat(forwards.stream().filter(line -> line.endsWith("true")).count()).isBetween(15L, 45L);
  }

  @Test
  void a_bucket_after_many_small_steps_is_the_bucket_after_one_large_step() {
    Limit limit = Limit.of(new Rate(Dimension.TOKENS, 999_983, Duration.ofDays(1)));
    Bucket small = new Bucket(limit, 0);
    Bucket large = new Bucket(limit, 0);
    small.take(500_000, 0);
    large.take(500_000, 0);
    Random random = new Random(1);
    long now = 0;
    for (int i = 0; i < 100_000; i++) {
      now += random.nextInt(100_000);
      small.level(now);
    }
    assertThat(small.untilFull(now)).isEqualTo(large.untilFull(now));
    assertThat(small.level(now)).isEqualTo(large.level(now));
  }

  @Test
  void every_profile_can_be_read_and_serves() {
    for (String name : Profiles.names()) {
      Profile profile = Profiles.get(name);
      Provider provider = new Provider(Settings.of(name));
      String model = profile.models().isEmpty() ? "m" : profile.models().getFirst() + "5";
      Ask ask = new Ask("k", model, "", 0, 0, 10, List.of(), 10, 10, true);
      assertThat(admit(provider, ask, 0)).as(name).isPresent();
    }
  }
}
