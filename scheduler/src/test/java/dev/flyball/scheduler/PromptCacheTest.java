package dev.flyball.scheduler;

import static dev.flyball.scheduler.Stage.answered;
import static dev.flyball.scheduler.Stage.call;
import static dev.flyball.scheduler.Stage.overloaded;
import static dev.flyball.scheduler.Stage.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Call;
import dev.flyball.call.Refusal;
import dev.flyball.call.Signals;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PromptCacheTest {
  private static final Call SHARING = call("sharing").sharing("a long prompt");

  @RegisterExtension final Stage stage = new Stage();

  @Test
  void of_calls_that_share_a_prefix_one_leads_and_the_others_wait_for_its_headers() {
    var roles = stage.enter(4, SHARING);
    stage.until(5);
    assertThat(roles.get(0).inFlight()).isTrue();
    assertThat(Stage.inFlight(roles)).isEqualTo(1);
    assertThat(roles.get(1).waiting().constraint()).isEqualTo(Constraint.LEADER);
    roles.get(0).permit().sighted(Signals.NONE);
    assertThat(Stage.inFlight(roles)).isEqualTo(4);
  }

  @Test
  void an_answer_without_headers_before_releases_them_too() {
    var roles = stage.enter(4, SHARING);
    roles.get(0).reply(answered());
    assertThat(Stage.inFlight(roles)).isEqualTo(3);
  }

  @Test
  void nobody_follows_for_more_than_ten_seconds() {
    var roles = stage.enter(3, SHARING);
    stage.until(9.999);
    assertThat(Stage.inFlight(roles)).isEqualTo(1);
    stage.until(10);
    assertThat(Stage.inFlight(roles)).isEqualTo(3);
  }

  @Test
  void a_leader_that_fails_is_replaced() {
    var roles = stage.enter(4, SHARING);
    stage.until(1);
    roles.get(0).reply(overloaded());
    assertThat(roles.get(1).inFlight()).isTrue();
    assertThat(Stage.inFlight(roles)).as("the next one leads").isEqualTo(1);
    assertThat(roles.get(2).waits()).isTrue();
    roles.get(1).reply(answered());
    stage.until(3);
    assertThat(roles.get(2).inFlight()).as("nobody follows any more").isTrue();
    assertThat(roles.get(0).waiting().constraint()).isEqualTo(Constraint.SLOT);
  }

  @Test
  void a_leader_that_is_turned_away_leads_again() {
    var roles = stage.enter(3, SHARING);
    roles.get(0).reply(throttled(Signals.NONE.retryAfter(Duration.ofSeconds(2))));
    stage.until(2);
    assertThat(roles.get(0).inFlight()).isTrue();
    assertThat(Stage.inFlight(roles)).isEqualTo(1);
  }

  @Test
  void a_leader_that_is_dropped_is_replaced() {
    var roles = stage.enter(3, SHARING);
    roles.get(0).drop();
    assertThat(roles.get(1).inFlight()).isTrue();
    assertThat(roles.get(2).waits()).isTrue();
  }

  @Test
  void a_prefix_that_is_warm_needs_no_leader() {
    stage.enter(SHARING).reply(answered());
    stage.until(200);
    assertThat(Stage.inFlight(stage.enter(4, SHARING))).isEqualTo(4);
  }

  @Test
  void a_prefix_that_has_gone_cold_needs_a_leader_again() {
    stage.enter(SHARING).reply(answered());
    stage.until(301);
    assertThat(Stage.inFlight(stage.enter(4, SHARING))).isEqualTo(1);
  }

  @Test
  void other_prefixes_and_calls_without_one_do_not_wait() {
    stage.enter(SHARING);
    assertThat(stage.enter(SHARING).waits()).isTrue();
    assertThat(stage.enter(call("other").sharing("another prompt")).inFlight()).isTrue();
    assertThat(stage.enter(call("none")).inFlight()).isTrue();
  }

  @Test
  void followers_go_in_the_order_in_which_they_came() {
    stage.with(builder -> builder.mostInFlight(2));
    var roles = stage.enter(6, SHARING);
    stage.until(1);
    roles.get(0).reply(answered());
    assertThat(roles.get(1).inFlight()).isTrue();
    assertThat(roles.get(2).inFlight()).isTrue();
    roles.get(2).reply(answered());
    assertThat(roles.get(3).inFlight()).isTrue();
  }

  @Test
  void a_follower_keeps_its_deadline_and_can_be_withdrawn() {
    stage.enter(SHARING);
    var hasty = stage.enter(SHARING.within(Duration.ofSeconds(3)));
    var fickle = stage.enter(SHARING);
    fickle.withdraw();
    stage.until(3);
    assertThat(hasty.refusal()).isEqualTo(new Refusal.TooLate(Duration.ofSeconds(3)));
    assertThat(stage.lane().waiting()).isZero();
  }

  @Test
  void followers_are_refused_when_nothing_new_may_start() {
    var roles = stage.enter(3, SHARING);
    stage.flyball().drain();
    assertThat(roles.get(2).refusal()).isEqualTo(new Refusal.ShuttingDown());
    roles.get(0).reply(answered());
    assertThat(roles.get(0).done()).isTrue();
  }
}
