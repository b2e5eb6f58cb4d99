package dev.flyball.gateway.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Tenant;
import dev.flyball.scheduler.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class TaskSlotsTest {
  private static final TaskSlots.Turn NOBODY = new Waiting();
  private final VirtualTime time = new VirtualTime();
  private int names;

  private static final class Waiting implements TaskSlots.Turn {
    final List<TaskSlots.Slot> slots = new ArrayList<>();
    final List<TaskSlots.Position> moves = new ArrayList<>();
    int drained;

    @Override
    public void granted(TaskSlots.Slot slot) {
      slots.add(slot);
    }

    @Override
    public void moved(TaskSlots.Position position) {
      moves.add(position);
    }

    @Override
    public void drained() {
      drained++;
    }
  }

  private TaskSlots slots(int limit, int queued) {
    return slots(limit, queued, OptionalInt.empty());
  }

  private TaskSlots slots(int limit, int queued, OptionalInt ofTenant) {
    return new TaskSlots(
        new TaskLimit(limit), queued, ofTenant, time, RandomGenerator.of("L64X128MixRandom"));
  }

  private TaskSlots.Asking asking() {
    return asking(Tenant.ONLY);
  }

  private TaskSlots.Asking asking(Tenant tenant) {
    var name = "task" + names++;
    return new TaskSlots.Asking(name, name, tenant);
  }

  private static TaskSlots.Slot granted(TaskSlots.Entry entry) {
    assertThat(entry).isInstanceOf(TaskSlots.Granted.class);
    return ((TaskSlots.Granted) entry).slot();
  }

  private static FullHouse full(TaskSlots.Entry entry) {
    assertThat(entry).isInstanceOf(TaskSlots.Full.class);
    return ((TaskSlots.Full) entry).house();
  }

  private void passes(Duration span) {
    time.in(span.toMillis() / 1e3, () -> {});
    while (time.step(Double.MAX_VALUE)) {
      // Until it is so late.
    }
  }

  @Test
  void as_many_as_the_limit_are_let_in_and_the_next_is_told_the_numbers() {
    var slots = slots(2, 0);
    granted(slots.enter(asking(), NOBODY));
    granted(slots.enter(asking(), NOBODY));
    var house = full(slots.enter(asking(), NOBODY));
    assertThat(house.scope()).isEqualTo(FullHouse.CapacityScope.POD);
    assertThat(house.limit()).isEqualTo(2);
    assertThat(house.inFlight()).isEqualTo(2);
    assertThat(house.retryAfter()).as("nothing is known yet").isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void a_slot_that_is_given_back_twice_is_free_once() {
    var slots = slots(2, 0);
    var first = granted(slots.enter(asking(), NOBODY));
    granted(slots.enter(asking(), NOBODY));
    first.giveBack();
    first.giveBack();
    granted(slots.enter(asking(), NOBODY));
    full(slots.enter(asking(), NOBODY));
    assertThat(slots.room().inFlight()).isEqualTo(2);
  }

  @Test
  void the_same_request_is_let_in_once_at_a_time() {
    var slots = slots(5, 0);
    var asking = asking();
    var slot = granted(slots.enter(asking, NOBODY));
    var twin = new TaskSlots.Asking("other", asking.key(), Tenant.ONLY);
    assertThat(slots.enter(twin, NOBODY)).isEqualTo(new TaskSlots.Running(asking.taskId()));
    slot.giveBack();
    granted(slots.enter(twin, NOBODY));
  }

  @Test
  void that_it_is_running_already_is_said_before_that_there_is_no_room() {
    var slots = slots(1, 0);
    var asking = asking();
    granted(slots.enter(asking, NOBODY));
    var twin = new TaskSlots.Asking("other", asking.key(), Tenant.ONLY);
    assertThat(slots.enter(twin, NOBODY)).isInstanceOf(TaskSlots.Running.class);
  }

  @Test
  void a_lowered_limit_lets_those_who_run_go_on_and_nobody_else_in() {
    var slots = slots(3, 0);
    var one = granted(slots.enter(asking(), NOBODY));
    var two = granted(slots.enter(asking(), NOBODY));
    granted(slots.enter(asking(), NOBODY));
    slots.change(new TaskLimit(2), 0, OptionalInt.empty());
    one.giveBack();
    full(slots.enter(asking(), NOBODY));
    two.giveBack();
    granted(slots.enter(asking(), NOBODY));
    full(slots.enter(asking(), NOBODY));
  }

  @Test
  void a_raised_limit_lets_in_at_once_those_who_wait() {
    var slots = slots(1, 5);
    granted(slots.enter(asking(), NOBODY));
    var first = new Waiting();
    var second = new Waiting();
    slots.enter(asking(), first);
    slots.enter(asking(), second);
    slots.change(new TaskLimit(2), 5, OptionalInt.empty());
    assertThat(first.slots).hasSize(1);
    assertThat(second.slots).isEmpty();
    assertThat(second.moves.getLast().place()).isEqualTo(1);
  }

  @Test
  void who_waits_gets_the_next_slot_and_nobody_overtakes() {
    var slots = slots(1, 2);
    var running = granted(slots.enter(asking(), NOBODY));
    var waits = new Waiting();
    assertThat(slots.enter(asking(), waits)).isInstanceOf(TaskSlots.Queued.class);
    running.giveBack();
    assertThat(waits.slots).hasSize(1);
    var late = new Waiting();
    assertThat(slots.enter(asking(), late)).isInstanceOf(TaskSlots.Queued.class);
    assertThat(slots.room().inFlight()).isEqualTo(1);
  }

  @Test
  void who_leaves_the_queue_moves_the_others_up() {
    var slots = slots(1, 3);
    granted(slots.enter(asking(), NOBODY));
    var first = (TaskSlots.Queued) slots.enter(asking(), NOBODY);
    var behind = new Waiting();
    var second = (TaskSlots.Queued) slots.enter(asking(), behind);
    assertThat(second.position().place()).isEqualTo(2);
    assertThat(first.place().leave()).isTrue();
    assertThat(first.place().leave()).isFalse();
    assertThat(behind.moves).extracting(TaskSlots.Position::place).containsExactly(1);
  }

  @Test
  void a_full_queue_sends_away() {
    var slots = slots(1, 1);
    granted(slots.enter(asking(), NOBODY));
    slots.enter(asking(), new Waiting());
    full(slots.enter(asking(), NOBODY));
    assertThat(slots.full()).isPresent();
  }

  @Test
  void the_wait_follows_from_how_long_tasks_take() {
    var slots = slots(2, 0);
    for (int i = 0; i < 10; i++) {
      var slot = granted(slots.enter(asking(), NOBODY));
      passes(Duration.ofSeconds(40));
      slot.giveBack();
    }
    granted(slots.enter(asking(), NOBODY));
    granted(slots.enter(asking(), NOBODY));
    var waits = new HashSet<Duration>();
    for (int i = 0; i < 200; i++) {
      var wait = full(slots.enter(asking(), NOBODY)).retryAfter();
      assertThat(wait).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
      waits.add(wait);
    }
    assertThat(waits).as("jittered").hasSizeGreaterThan(100);
  }

  @Test
  void a_standstill_is_seen_before_anything_ends() {
    var slots = slots(1, 0);
    var quick = granted(slots.enter(asking(), NOBODY));
    passes(Duration.ofSeconds(2));
    quick.giveBack();
    granted(slots.enter(asking(), NOBODY));
    passes(Duration.ofMinutes(10));
    assertThat(full(slots.enter(asking(), NOBODY)).retryAfter())
        .isGreaterThanOrEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void a_server_that_had_little_to_do_says_how_long_a_task_takes_and_not_how_rare_they_were() {
    var slots = slots(1, 0);
    for (int i = 0; i < 3; i++) {
      var slot = granted(slots.enter(asking(), NOBODY));
      passes(Duration.ofSeconds(10));
      slot.giveBack();
      passes(Duration.ofHours(3));
    }
    granted(slots.enter(asking(), NOBODY));
    assertThat(full(slots.enter(asking(), NOBODY)).retryAfter())
        .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(15));
  }

  @Test
  void tenants_take_turns_by_their_weights() {
    var slots = slots(1, 200);
    var running = granted(slots.enter(asking(), NOBODY));
    var order = new ArrayList<String>();
    var free = new ArrayList<TaskSlots.Slot>();
    for (var tenant : List.of(new Tenant("greedy", 1), new Tenant("modest", 2))) {
      for (int i = 0; i < 60; i++) {
        slots.enter(
            asking(tenant),
            new TaskSlots.Turn() {
              @Override
              public void granted(TaskSlots.Slot slot) {
                order.add(tenant.name());
                free.add(slot);
              }

              @Override
              public void moved(TaskSlots.Position position) {}

              @Override
              public void drained() {}
            });
      }
    }
    running.giveBack();
    while (order.size() < 60) {
      free.removeLast().giveBack();
    }
    assertThat(order.stream().filter("modest"::equals).count()).isBetween(39L, 41L);
  }

  @Test
  void a_tenant_has_no_more_than_its_part() {
    var slots = slots(10, 10, OptionalInt.of(2));
    var greedy = new Tenant("greedy", 1);
    var first = granted(slots.enter(asking(greedy), NOBODY));
    granted(slots.enter(asking(greedy), NOBODY));
    var house = full(slots.enter(asking(greedy), NOBODY));
    assertThat(house.scope()).isEqualTo(FullHouse.CapacityScope.TENANT);
    assertThat(house.limit()).isEqualTo(2);
    granted(slots.enter(asking(new Tenant("other", 1)), NOBODY));
    first.giveBack();
    granted(slots.enter(asking(greedy), NOBODY));
  }

  @Test
  void a_draining_server_lets_nobody_in_and_tells_those_who_wait() {
    var slots = slots(1, 3);
    var running = granted(slots.enter(asking(), NOBODY));
    var waits = new Waiting();
    slots.enter(asking(), waits);
    slots.drain();
    assertThat(waits.drained).isEqualTo(1);
    assertThat(slots.enter(asking(), NOBODY)).isInstanceOf(TaskSlots.Draining.class);
    running.giveBack();
    assertThat(waits.slots).isEmpty();
    assertThat(slots.room()).isEqualTo(new TaskCounts.Room(0, 1, 0, Duration.ZERO));
  }

  @Test
  void the_age_of_the_first_in_the_queue_can_be_seen() {
    var slots = slots(1, 3);
    granted(slots.enter(asking(), NOBODY));
    slots.enter(asking(), new Waiting());
    passes(Duration.ofSeconds(90));
    slots.enter(asking(), new Waiting());
    assertThat(slots.room().oldest()).isEqualTo(Duration.ofSeconds(90));
    assertThat(slots.room().queued()).isEqualTo(2);
  }
}
