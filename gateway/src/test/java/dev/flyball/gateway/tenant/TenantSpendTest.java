package dev.flyball.gateway.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Account;
import dev.flyball.call.Budget;
import dev.flyball.call.Call;
import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.history.record.TenantSpending;
import dev.flyball.history.record.TenantTerms;
import dev.flyball.history.record.TenantTerms.Ceiling;
import dev.flyball.scheduler.Flyball;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The budgets of a tenant by days and months. */
@Timeout(120)
class TenantSpendTest {
  private static final Instant NOON = Instant.parse("2026-11-18T12:00:00Z");
  private static final Instant NEXT_DAY = Instant.parse("2026-11-19T00:00:00Z");
  private static final Instant NEXT_MONTH = Instant.parse("2026-12-01T00:00:00Z");

  private final Map<Account, Budget> budgets = new HashMap<>();

  private static TenantTerms dollars(String day, String month) {
    return new TenantTerms(
        1,
        "normal",
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        ceiling(day),
        ceiling(month));
  }

  private static Ceiling ceiling(String dollars) {
    return dollars.isEmpty()
        ? Ceiling.NONE
        : new Ceiling(OptionalLong.empty(), Optional.of(Cost.dollars(dollars)));
  }

  private TenantSpend spend(String day, String month) {
    return new TenantSpend("alice", dollars(day, month), budgets::put);
  }

  private Cost left(Account account) {
    return Optional.ofNullable(budgets.get(account)).flatMap(Budget::money).orElseThrow();
  }

  @Test
  void a_day_is_a_part_of_its_month_and_each_has_its_budget() {
    var spend = spend("5", "20");
    var day = spend.account(NOON);
    assertThat(left(day)).isEqualTo(Cost.dollars("5"));
    assertThat(left(day.parent().orElseThrow())).isEqualTo(Cost.dollars("20"));
    assertThat(spend.account(NOON.plusSeconds(60))).isEqualTo(day);

    spend.spend(day, new TenantSpend.Used(100, 3_000_000));
    var next = spend.account(NEXT_DAY);
    assertThat(left(next)).as("a new day").isEqualTo(Cost.dollars("5"));
    assertThat(left(next.parent().orElseThrow()))
        .as("the same month")
        .isEqualTo(Cost.dollars("17"));
    var december = spend.account(NEXT_MONTH);
    assertThat(left(december.parent().orElseThrow())).isEqualTo(Cost.dollars("20"));
  }

  @Test
  void what_was_spent_before_a_restart_stays_spent() {
    var spend = spend("5", "");
    spend.load(new TenantSpending("alice", "2026-11-18", 10, Cost.dollars("4.25")));
    assertThat(left(spend.account(NOON))).isEqualTo(Cost.dollars("0.75"));
    spend.spend(spend.account(NOON), new TenantSpend.Used(1, 2_000_000));
    assertThat(spend.used("2026-11-18").micros()).isEqualTo(6_250_000);
  }

  @Test
  void other_terms_take_away_what_was_spent_and_a_call_pays_the_day_it_came_in() {
    var spend = spend("5", "");
    var yesterday = spend.account(NOON);
    spend.spend(yesterday, new TenantSpend.Used(1, 1_000_000));
    spend.terms(dollars("8", ""));
    assertThat(left(spend.account(NOON))).isEqualTo(Cost.dollars("7"));
    spend.account(NEXT_DAY);
    spend.spend(yesterday, new TenantSpend.Used(1, 1_000_000));
    assertThat(spend.used("2026-11-19").micros()).isZero();
  }

  @Test
  void what_is_to_be_written_is_told_once() {
    var spend = spend("5", "20");
    spend.spend(spend.account(NOON), new TenantSpend.Used(7, 9));
    assertThat(spend.takeUnwritten())
        .containsExactlyInAnyOrder(
            new TenantSpending("alice", "2026-11-18", 7, new Cost(9)),
            new TenantSpending("alice", "2026-11", 7, new Cost(9)));
    assertThat(spend.takeUnwritten()).isEmpty();
  }

  @Test
  void fifty_clients_never_spend_more_than_the_dollar_and_the_error_of_what_was_in_flight()
      throws Exception {
    var inFlightError = new AtomicLong();
    var spent = new AtomicLong();
    var refused = new AtomicLong();
    try (var flyball = Flyball.create();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var spend = new TenantSpend("alice", dollars("1", "3"), flyball::budget);
      var start = new CountDownLatch(1);
      var clients = new ArrayList<Future<Boolean>>();
      for (int i = 0; i < 50; i++) {
        int client = i;
        clients.add(
            threads.submit(
                () -> {
                  start.await();
                  for (int n = 0; n < 40; n++) {
                    // One in four costs a tenth more than was thought.
                    long thought = 10_000 + 100L * client;
                    long cost = (client + n) % 4 == 0 ? thought + thought / 10 : thought * 2 / 3;
                    var payer = spend.account(NOON);
                    Call call =
                        Call.to(LaneId.of("p", "m"))
                            .estimated(Estimate.of(10, 10).costingAtMost(new Cost(thought)))
                            .paidBy(payer);
                    Outcome<String> outcome =
                        flyball.run(
                            call,
                            attempt -> {
                              spent.addAndGet(cost);
                              inFlightError.accumulateAndGet(
                                  Math.max(0, cost - thought), (sum, more) -> sum + more);
                              var used = Usage.of(10, 10).costing(new Cost(cost));
                              spend.spend(payer, new TenantSpend.Used(20, cost));
                              return new Reply.Answered<>("yes", used, Signals.NONE);
                            });
                    if (outcome instanceof Outcome.Refused<String>(var why, var rest)) {
                      assertThat(why).isInstanceOf(Refusal.BudgetSpent.class);
                      refused.incrementAndGet();
                    }
                  }
                  return true;
                }));
      }
      start.countDown();
      for (var client : clients) {
        assertThat(client.get()).isTrue();
      }
    }
    assertThat(refused.get()).as("the budget was reached").isPositive();
    assertThat(spent.get()).isLessThanOrEqualTo(1_000_000 + inFlightError.get());
    // Fifty in flight at once, each a tenth of at most 14,900 too dear.
    assertThat(spent.get()).isLessThanOrEqualTo(1_000_000 + 50 * 1_490);
    assertThat(spent.get()).as("and it is used").isGreaterThan(960_000);
  }
}
