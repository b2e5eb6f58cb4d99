package dev.flyball.scheduler;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.Priority;
import dev.flyball.call.Tenant;
import dev.flyball.limit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who goes first. */
class OrderTest {
  @RegisterExtension final Stage stage = new Stage();

  private static List<String> inOrder(List<Stage.Role> roles) {
    return roles.stream()
        .sorted((one, other) -> Double.compare(one.firstAdmitted(), other.firstAdmitted()))
        .map(role -> role.call().name())
        .toList();
  }

  private static Stage.Answer aSecond(long tokens) {
    return new Stage.Answer(1, answered(tokens, 0));
  }

  @Test
  void calls_of_equal_rank_go_in_the_order_in_which_they_came() {
    stage.with(builder -> builder.mostInFlight(1));
    var roles = stage.enter(50, call("call"), n -> aSecond(0));
    stage.finish();
    assertThat(inOrder(roles)).isEqualTo(roles.stream().map(r -> r.call().name()).toList());
  }

  @Test
  void within_equal_rank_nobody_overtakes_whatever_else_happens() {
    Seeds.forAll(
        60,
        random -> {
          var world = new Stage().knowing(AllowanceTerms.of(INPUT_TOKENS).limit(6_000));
          var roles = new ArrayList<Stage.Role>();
          for (int i = 0; i < 40; i++) {
            // All of one size, so that whatever holds one back holds back all after it.
            roles.add(
                world.enter(
                    call("call-" + i, 500),
                    n -> new Stage.Answer(random.nextDouble(), answered(500, 0))));
            world.pass(random.nextDouble());
          }
          world.finish();
          double before = 0;
          for (var role : roles) {
            assertThat(role.firstAdmitted()).isGreaterThanOrEqualTo(before);
            before = role.firstAdmitted();
          }
        });
  }

  @Test
  void a_call_in_a_hurry_goes_before_patient_ones() {
    stage.with(builder -> builder.mostInFlight(1));
    var first = stage.enter(call("first"), n -> aSecond(0));
    var bulk = stage.enter(call("bulk").priority(Priority.BULK), n -> aSecond(0));
    var normal = stage.enter(call("normal"), n -> aSecond(0));
    var hurried = stage.enter(call("hurried").priority(Priority.INTERACTIVE), n -> aSecond(0));
    stage.finish();
    assertThat(inOrder(List.of(first, bulk, normal, hurried)))
        .containsExactly("first", "hurried", "normal", "bulk");
  }

  @Test
  void a_patient_call_waits_at_most_its_patience_longer() {
    stage.with(builder -> builder.mostInFlight(1));
    var hurried = call("hurried").priority(Priority.INTERACTIVE);
    // All that the lane can do: one a second, of a second each.
    for (int i = 0; i < 3_700; i++) {
      stage.time().in(i, () -> stage.enter(hurried, n -> aSecond(0)));
    }
    stage.until(10);
    var bulk = stage.enter(call("bulk").priority(Priority.BULK), n -> aSecond(0));
    var normal = stage.enter(call("normal"), n -> aSecond(0));
    stage.until(3_700);
    assertThat(normal.firstAdmitted()).isBetween(10.0 + 60 - 2, 10.0 + 60 + 2);
    assertThat(bulk.firstAdmitted()).isBetween(10.0 + 3_600 - 2, 10.0 + 3_600 + 2);
  }

  @Test
  void tenants_get_their_shares() {
    stage.with(builder -> builder.mostInFlight(1));
    var tenants = List.of(new Tenant("one", 1), new Tenant("two", 2), new Tenant("four", 4));
    var roles = new ArrayList<Stage.Role>();
    for (var tenant : tenants) {
      roles.addAll(stage.enter(500, call(tenant.name(), 100).on(tenant), n -> aSecond(100)));
    }
    stage.until(699.5);
    assertShares(roles, tenants, 700);
  }

  @Test
  void shares_are_of_tokens_and_not_of_calls() {
    stage.with(builder -> builder.mostInFlight(1));
    var tenants = List.of(new Tenant("one", 1), new Tenant("two", 2), new Tenant("four", 4));
    long[] sizes = {1_000, 100, 400};
    var roles = new ArrayList<Stage.Role>();
    for (int i = 0; i < 3; i++) {
      long size = sizes[i];
      var call = call(tenants.get(i).name(), size).on(tenants.get(i));
      roles.addAll(stage.enter(2_000, call, n -> aSecond(size)));
    }
    stage.until(1_500);
    long all = roles.stream().filter(r -> !r.admitted().isEmpty()).mapToLong(OrderTest::size).sum();
    assertShares(roles, tenants, all);
    stage.flyball().drain();
  }

  private static long size(Stage.Role role) {
    return role.call().estimate().input();
  }

  private static void assertShares(List<Stage.Role> roles, List<Tenant> tenants, long all) {
    var used = new HashMap<Tenant, Long>();
    boolean counted = all == 700;
    for (var role : roles) {
      if (!role.admitted().isEmpty()) {
        used.merge(role.call().tenant(), counted ? 1 : size(role), Long::sum);
      }
    }
    double weights = tenants.stream().mapToDouble(Tenant::weight).sum();
    for (var tenant : tenants) {
      double share = tenant.weight() / weights;
      assertThat(used.getOrDefault(tenant, 0L) / (double) all)
          .as("share of %s", tenant)
          .isCloseTo(share, within(0.05 * share));
    }
  }

  @Test
  void a_tenant_that_was_away_has_saved_nothing_up() {
    stage.with(builder -> builder.mostInFlight(1));
    var here = new Tenant("here", 1);
    var away = new Tenant("away", 1);
    var first = stage.enter(300, call("here", 100).on(here), n -> aSecond(100));
    stage.until(100.5);
    var second = stage.enter(100, call("away", 100).on(away), n -> aSecond(100));
    stage.until(140.5);
    long sinceThen =
        first.stream().filter(r -> !r.admitted().isEmpty() && r.firstAdmitted() > 100.5).count();
    long other = second.stream().filter(r -> !r.admitted().isEmpty()).count();
    assertThat(sinceThen).isBetween(19L, 21L);
    assertThat(other).isBetween(19L, 21L);
    stage.flyball().drain();
  }

  @Test
  void a_quiet_tenant_waits_for_one_call_of_a_loud_one() {
    stage.with(builder -> builder.mostInFlight(1));
    stage.enter(1_000, call("loud", 100).on(new Tenant("loud", 1)), n -> aSecond(100));
    stage.until(50.5);
    var quiet = stage.enter(call("quiet", 100).on(new Tenant("quiet", 1)), n -> aSecond(100));
    stage.until(53);
    assertThat(quiet.firstAdmitted()).isLessThanOrEqualTo(52);
    stage.flyball().drain();
  }

  @Test
  void smaller_calls_pass_one_that_does_not_fit_yet() {
    stage.knowing(AllowanceTerms.of(INPUT_TOKENS).limit(30_000));
    stage.enter(call("first", 29_000), n -> aSecond(29_000));
    var large = stage.enter(call("large", 20_000), n -> aSecond(20_000));
    var small = stage.enter(call("small", 500), n -> aSecond(500));
    assertThat(large.waits()).isTrue();
    assertThat(small.inFlight()).isTrue();
  }

  @Test
  void a_large_call_among_small_ones_goes_within_twice_the_time_it_earns_itself_in() {
    stage.knowing(AllowanceTerms.of(INPUT_TOKENS).limit(30_000));
    stage.enter(call("first", 30_000), n -> aSecond(30_000));
    var large = stage.enter(call("large", 28_000), n -> aSecond(28_000));
    // As many small ones as the whole refill could serve, and more.
    for (int i = 0; i < 600; i++) {
      stage.time().in(i / 2.0, () -> stage.enter(call("small", 500), n -> aSecond(500)));
    }
    stage.until(300);
    assertThat(large.firstAdmitted()).isGreaterThan(28_000 / 500.0 - 1e-3);
    assertThat(large.firstAdmitted()).isLessThanOrEqualTo(2 * 28_000 / 500.0 + 1);
    stage.finish();
  }

  @Test
  void once_the_overtakers_have_used_what_the_head_needs_nothing_passes_it() {
    stage.knowing(AllowanceTerms.of(INPUT_TOKENS).limit(30_000));
    stage.enter(call("first", 27_000), n -> aSecond(27_000));
    var large = stage.enter(call("large", 3_500));
    var small = stage.enter(10, call("small", 500), n -> new Stage.Answer(0.001, answered(500, 0)));
    stage.until(0.5);
    assertThat(small.stream().filter(r -> !r.admitted().isEmpty()).count())
        .as("seven of these are as large as the head, and six fit")
        .isEqualTo(6);
    stage.until(1.5);
    assertThat(small.stream().filter(r -> !r.admitted().isEmpty()).count()).isEqualTo(7);
    stage.until(6.9);
    assertThat(small.stream().filter(r -> !r.admitted().isEmpty()).count()).isEqualTo(7);
    stage.until(9);
    assertThat(large.inFlight()).isTrue();
  }

  @Test
  void nobody_looks_further_than_thirty_two_past_the_head() {
    assertThat(passes(32)).isTrue();
    assertThat(passes(33)).isFalse();
  }

  /** Whether a small call passes a head and the calls behind it, as the so manieth after it. */
  private boolean passes(int place) {
    var world = new Stage().knowing(AllowanceTerms.of(INPUT_TOKENS).limit(30_000));
    world.enter(call("first", 29_000), n -> aSecond(29_000));
    world.enter(place, call("large", 20_000));
    return world.enter(call("small", 500)).inFlight();
  }

  @Test
  void a_call_that_cannot_be_overtaken_in_its_own_line_is_passed_by_no_other_tenant_for_ever() {
    stage.knowing(AllowanceTerms.of(INPUT_TOKENS).limit(30_000));
    stage.enter(call("first", 30_000), n -> aSecond(30_000));
    var large = stage.enter(call("large", 28_000).on(new Tenant("a", 1)), n -> aSecond(28_000));
    for (int i = 0; i < 600; i++) {
      Call small = call("small").estimated(Estimate.of(500, 0)).on(new Tenant("b", 4));
      stage.time().in(i / 2.0, () -> stage.enter(small, n -> aSecond(500)));
    }
    stage.until(1_000);
    assertThat(large.firstAdmitted()).isLessThanOrEqualTo(2 * 2 * 28_000 / 500.0);
    stage.finish();
  }

  @Test
  void a_deadline_is_kept_in_any_place_of_the_queue() {
    stage.with(builder -> builder.mostInFlight(1));
    stage.enter(call("first"));
    var roles = stage.enter(20, call("call").within(Duration.ofSeconds(9)));
    stage.until(8.999);
    assertThat(Stage.ended(roles)).isZero();
    stage.until(9);
    assertThat(Stage.ended(roles)).isEqualTo(20);
  }
}
