package dev.flyball.simulator.provider;

import static dev.flyball.simulator.provider.SampleRequests.SECOND;
import static dev.flyball.simulator.provider.SampleRequests.ask;
import static dev.flyball.simulator.provider.SampleRequests.level;
import static dev.flyball.simulator.provider.SampleRequests.rejection;
import static dev.flyball.simulator.provider.SampleRequests.served;
import static dev.flyball.simulator.provider.SampleRequests.small;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.flyball.simulator.limit.CallAttempt;
import dev.flyball.simulator.limit.Dimension;
import dev.flyball.simulator.limit.Limit;
import dev.flyball.simulator.limit.ModelRequest;
import dev.flyball.simulator.limit.Rejection;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Profile;
import dev.flyball.simulator.setting.Profiles;
import dev.flyball.simulator.setting.Settings;
import dev.flyball.simulator.value.OptionText;
import java.math.BigInteger;
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
  private static Optional<Serving> admit(Provider provider, ModelRequest ask, long now) {
    return provider.admit(ask, now) instanceof Verdict.Admitted(Serving serving)
        ? Optional.of(serving)
        : Optional.empty();
  }

  /** Sends whatever it can at random moments, cutting some; returns the ledger. */
  private static List<LedgerEntry> storm(Settings settings, long seed, long until) {
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
      ModelRequest ask =
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

    List<LedgerEntry> ledger = storm(settings, seed, 120 * SECOND);

    Map<String, List<LedgerEntry>> byLimit = new HashMap<>();
    for (LedgerEntry entry : ledger) {
      Limit limit = entry.limit();
      if (limit != null && entry.what() != LedgerEntry.What.REJECTED) {
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
  private static void holds(List<LedgerEntry> entries) {
    Limit limit = requireNonNull(entries.getFirst().limit());
    BigInteger amount = BigInteger.valueOf(limit.amount());
    BigInteger period = BigInteger.valueOf(OptionText.micros(limit.period()));
    BigInteger burst = BigInteger.valueOf(limit.burst()).multiply(period);
    for (int from = 0; from < entries.size(); from++) {
      BigInteger used = BigInteger.ZERO;
      for (int to = from; to < Math.min(entries.size(), from + 400); to++) {
        LedgerEntry entry = entries.get(to);
        boolean back = entry.what() == LedgerEntry.What.REFUNDED;
        BigInteger moved = BigInteger.valueOf(back ? -entry.amount() : entry.amount());
        used = used.add(moved.multiply(period));
        // What a settlement adds is not asked for, and may leave a debt.
        if (entry.what() == LedgerEntry.What.CHARGED || entry.what() == LedgerEntry.What.FOREIGN) {
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

  @Test
  void a_caller_who_leaves_pays_for_what_was_produced() {
    Provider provider =
        new Provider(
            Settings.of("groq").limit("tokens=10000/min").latency(Latency.parse("1s+10ms")));

    Serving serving = served(provider, ask("a", 0, 100, 1_000, 500), 0);
    provider.cut(serving, 2 * SECOND);

    LedgerEntry refund =
        provider.ledger().entries().stream()
            .filter(entry -> entry.what() == LedgerEntry.What.REFUNDED)
            .findFirst()
            .orElseThrow();
    assertThat(refund.amount()).isEqualTo(1_000 - 101);
    assertThat(provider.stats().inFlight()).isZero();
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
  void every_profile_can_be_read_and_serves() {
    for (String name : Profiles.names()) {
      Profile profile = Profiles.get(name);
      Provider provider = new Provider(Settings.of(name));
      String model = profile.models().isEmpty() ? "m" : profile.models().getFirst() + "5";
      ModelRequest ask =
          new ModelRequest(
              new CallAttempt("o", "k", model, "", 0, 0, 0), 10, List.of(), 10, 10, false, true);
      assertThat(admit(provider, ask, 0)).as(name).isPresent();
    }
  }

  @Test
  void a_ledger_may_keep_nothing() {
    Provider provider = new Provider(Settings.of("unlimited").ledger(0));

    served(provider, small("a"), 0);

    assertThat(provider.ledger().entries()).isEmpty();
    assertThat(provider.ledger().forgotten()).isPositive();
  }

  @Test
  void chance_does_not_depend_on_how_often_a_limit_was_in_the_way() {
    Settings settings =
        Settings.of("unlimited")
            .limit("requests=600/min")
            .burst("requests=1")
            .fault("529:share=0.5");
    int struck = 0;
    for (int i = 0; i < 40; i++) {
      Provider free = new Provider(settings);
      Provider busy = new Provider(settings);
      served(busy, small("another"), 0);
      rejection(busy, again(busy, i), 0);

      boolean alone = served(free, again(free, i), SECOND).fault().isPresent();
      assertThat(served(busy, again(busy, i), SECOND).fault().isPresent()).isEqualTo(alone);
      struck += alone ? 1 : 0;
    }
    assertThat(struck).isBetween(10, 30);
  }

  private static ModelRequest again(Provider provider, long identity) {
    AttemptHistory.Count before = provider.attempts().sent("key", "m", identity);
    return new ModelRequest(
        new CallAttempt("org", "key", "m", "", identity, before.sent(), before.met()),
        1,
        List.of(),
        1,
        1,
        false,
        true);
  }

  @Test
  void what_is_debited_late_is_in_the_ledger_in_its_order_even_when_the_money_is_spent() {
    Provider provider =
        new Provider(
            Settings.of("openai-tier1")
                .latency(Latency.parse("1s+10ms"))
                .limit("output=100/min")
                .spendCap(0.00001));
    ModelRequest ask =
        new ModelRequest(
            new CallAttempt("org", "k", "gpt-4o", "a", 1, 0, 0),
            10,
            List.of(),
            200,
            200,
            false,
            true);
    Serving one = served(provider, ask, 0);
    Serving two = served(provider, ask, 500_000);
    provider.finish(one, one.finishedAt());
    assertThat(rejection(provider, ask, one.finishedAt() + 200_000))
        .isInstanceOf(Rejection.SpendCap.class);
    provider.finish(two, two.finishedAt());

    assertThat(provider.ledger().entries()).extracting(LedgerEntry::at).isSorted();
  }

  @Test
  void nobody_who_is_not_there_is_charged() {
    Provider provider =
        new Provider(
            Settings.of("unlimited")
                .limit("requests=10/min")
                .fault("529:from=10s,to=20s")
                .fault("outage:from=10s,to=20s"));

    Serving before = served(provider, small("a"), 9 * SECOND);
    assertThat(before.fault()).isEmpty();
    assertThat(provider.admit(small("b"), 10 * SECOND)).isInstanceOf(Verdict.Dropped.class);
    assertThat(level(before, 15 * SECOND)).isEqualTo(10);
    assertThat(served(provider, small("c"), 20 * SECOND).fault()).isEmpty();
    assertThat(provider.stats().faults()).containsExactly(Map.entry("outage", 1L));
  }

  @Test
  void a_brown_out_strikes_its_share_while_it_lasts() {
    Provider provider =
        new Provider(Settings.of("unlimited").fault("529:share=0.5,from=10s,to=20s"));
    int before = 0;
    int during = 0;
    int after = 0;
    for (int i = 0; i < 300; i++) {
      boolean struck = served(provider, small("c" + i), i * SECOND / 10).fault().isPresent();
      before += struck && i < 100 ? 1 : 0;
      during += struck && i >= 100 && i < 200 ? 1 : 0;
      after += struck && i >= 200 ? 1 : 0;
    }
    assertThat(List.of(before, after)).containsOnly(0);
    assertThat(during).isBetween(35, 65);
  }

  @Test
  void a_provider_that_counts_failures_counts_what_it_turned_away() {
    Provider openai = new Provider(Settings.of("openai-tier1").limit("tokens=100/min"));
    Provider groq = new Provider(Settings.of("groq").limit("tokens=100/min"));
    for (Provider provider : List.of(openai, groq)) {
      ModelRequest large =
          new ModelRequest(
              new CallAttempt("o", "k", "gpt-x", "", 0, 0, 0), 90, List.of(), 0, 5, false, true);
      served(provider, large, 0);
      rejection(provider, large, 0);
    }

    assertThat(requestsLeft(openai)).isEqualTo(498);
    assertThat(requestsLeft(groq)).isEqualTo(29);
  }

  private static long requestsLeft(Provider provider) {
    LimitScope scope = provider.scopes().values().iterator().next();
    return scope.snapshot(0).all().getFirst().level();
  }

  @Test
  void what_nobody_said_is_not_charged_before_it_is_known() {
    Provider provider = new Provider(Settings.of("openai-tier1"));
    ModelRequest ask =
        new ModelRequest(
            new CallAttempt("o", "k", "gpt-5", "", 0, 0, 0), 90, List.of(), 0, 500, false, true);

    Serving serving = served(provider, ask, 0);

    assertThat(serving.taken(1)).isEqualTo(90);
    provider.finish(serving, 0);
    assertThat(provider.ledger().entries())
        .filteredOn(entry -> entry.what() == LedgerEntry.What.DEBITED)
        .extracting(LedgerEntry::amount)
        .containsExactly(500L);
  }

  @Test
  void limits_are_asked_in_the_order_of_the_provider() {
    Settings settings =
        Settings.of("unlimited")
            .limit("requests=1/min")
            .limit("input=10/min")
            .limit("output=1/min")
            .limit("in-flight=1")
            .acceleration(10, 1.5);
    Provider provider = new Provider(settings);
    served(provider, ask("a", 0, 10, 1, 1), 0);
    List<String> order = new ArrayList<>();
    // Each refusal is lifted in turn, and the next one shows.
    for (long now : List.of(0L, 60 * SECOND)) {
      order.add(rejection(provider, ask("b", 0, 10, 1, 1), now).word());
    }
    assertThat(order).containsExactly("requests", "in-flight");

    Provider other = new Provider(settings.limit("requests=100/min"));
    served(other, ask("a", 0, 10, 1, 1), 0);
    assertThat(rejection(other, ask("b", 0, 10, 1, 1), 0).word()).isEqualTo("input");
    Provider third = new Provider(settings.limit("input=100/min"));
    served(third, ask("a", 0, 10, 1, 1), 0);
    assertThat(rejection(third, ask("b", 0, 10, 1, 1), 0).word()).isEqualTo("output");
    Provider fourth = new Provider(settings.limit("output=100/min"));
    served(fourth, ask("a", 0, 10, 1, 1), 0);
    assertThat(rejection(fourth, ask("b", 0, 10, 1, 1), 0).word()).isEqualTo("acceleration");
  }
}
