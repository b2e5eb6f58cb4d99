package dev.flyball.scheduler;

import static dev.flyball.scheduler.Stage.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Account;
import dev.flyball.call.Call;
import dev.flyball.call.Cost;
import dev.flyball.call.Estimate;
import dev.flyball.call.Refusal;
import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Flyball.SharedBudget;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Money that schedulers spend together, as one of them sees it. */
class SharedBudgetTest {
  private static final Account RUN = Account.of("run");

  private static final Call TEN =
      call("ten")
          .estimated(Estimate.of(100, 100).costingAtMost(new Cost(10)))
          .paidBy(RUN.part("lens"));

  /** Says what it is told to say. */
  private static final class Purse implements SharedBudget {
    private final List<String> heard = new ArrayList<>();
    private Room says = new Room.Held();
    private Runnable told = () -> {};

    @Override
    public Room hold(long micros) {
      heard.add("hold " + micros);
      return says;
    }

    @Override
    public void settle(long held, long spent) {
      heard.add("settle " + held + " by " + spent);
    }

    @Override
    public void whenRoom(Runnable listener) {
      told = listener;
    }
  }

  @RegisterExtension final Stage stage = new Stage();
  private final Purse purse = new Purse();

  @Test
  void what_is_held_is_replaced_by_what_was_spent() {
    stage.flyball().sharedBudget(RUN, purse);
    var role = stage.enter(TEN);
    role.reply(Reply.answered("ok", Usage.of(1, 1).costing(new Cost(7)), Signals.NONE));
    assertThat(purse.heard).containsExactly("hold 10", "settle 10 by 7");
  }

  @Test
  void a_call_waits_until_it_is_told_that_there_is_room() {
    stage.flyball().sharedBudget(RUN, purse);
    purse.says = new SharedBudget.Room.Later();
    var role = stage.enter(TEN);
    stage.until(100);
    assertThat(role.waiting().constraint()).isEqualTo(Constraint.BUDGET);
    purse.says = new SharedBudget.Room.Held();
    purse.told.run();
    stage.pass(1);
    role.drop();
    assertThat(purse.heard).endsWith("hold 10", "settle 10 by 0");
  }

  @Test
  void a_call_for_which_there_will_never_be_room_is_refused_with_what_is_left() {
    stage.flyball().sharedBudget(RUN, purse);
    purse.says = new SharedBudget.Room.Spent(3);
    assertThat(stage.enter(TEN).refusal())
        .isEqualTo(new Refusal.BudgetSpent(RUN, "millionths of $", 10, 3));
  }

  @Test
  void a_call_without_a_price_is_refused() {
    stage.flyball().sharedBudget(RUN, purse);
    assertThat(stage.enter(call("unpriced").paidBy(RUN)).refusal())
        .isEqualTo(new Refusal.Unpriced(RUN));
    assertThat(purse.heard).isEmpty();
  }

  @Test
  void who_does_not_pay_from_it_is_not_asked() {
    stage.flyball().sharedBudget(RUN, purse);
    stage.enter(call("other").paidBy(Account.of("other"))).reply(Stage.answered());
    assertThat(purse.heard).isEmpty();
  }
}
