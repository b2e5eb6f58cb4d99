package dev.flyball.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes that meet over a store, in virtual time. */
class RemoteWorldTest {
  private final World world = new World(1, World.Limits.of(10, 10));
  private final RemoteWorld store = new RemoteWorld(world);

  private void begin(World in, RemoteWorld through, int processes, int calls) {
    in.total = calls;
    for (int i = 0; i < processes; i++) {
      var process = in.process(1);
      in.time.in(0.001 * i, () -> through.comes(process));
    }
    for (int i = 0; i < calls; i++) {
      var process = in.processes.get(i % 2 == 0 ? 0 : i % processes);
      var name = "call-" + i;
      in.time.in(2 + 0.001 * process.number, () -> process.enter(name));
    }
  }

  @ParameterizedTest
  @CsvSource({"2, ALL", "8, ALL", "2, NOTHING", "8, NOTHING"})
  void replicas_keep_a_limit_as_one_would(int processes, World.Says says) {
    var own = new World(1, World.Limits.of(10, 10).saying(says));
    begin(own, new RemoteWorld(own), processes, 300);
    own.run(600);
    assertThat(own.done).isEqualTo(300);
    assertThat(own.timesLeast()).isLessThan(1.05);
    assertThat(own.provider.refused).isLessThanOrEqualTo(says == World.Says.ALL ? 3 : 16);
  }

  /** What Redis executes, with all that it takes to meet and to part. */
  @ParameterizedTest
  @CsvSource({"2", "8"})
  void many_calls_a_second_need_few_commands(int processes) {
    var own = new World(1, World.Limits.of(100, 100));
    var through = new RemoteWorld(own);
    begin(own, through, processes, 2000);
    own.run(600);
    assertThat(own.done).isEqualTo(2000);
    assertThat(own.timesLeast()).isLessThan(1.05);
    assertThat(own.provider.refused).isLessThanOrEqualTo(3);
    assertThat(through.commands / 2000.0).as("commands a call").isLessThanOrEqualTo(0.2);
  }

  @ParameterizedTest
  @CsvSource({"10, 200", "100, 2000"})
  void a_message_that_is_lost_costs_next_to_nothing(double perSecond, int calls) {
    var own = new World(1, World.Limits.of(perSecond, perSecond));
    var through = new RemoteWorld(own);
    through.loss = 0.02;
    begin(own, through, 8, calls);
    own.run(600);
    assertThat(own.done).isEqualTo(calls);
    assertThat(own.timesLeast()).isLessThan(1.06);
    assertThat(own.provider.refused).isLessThanOrEqualTo(3);
  }

  @Test
  void messages_that_are_lost_and_doubled_lose_no_call() {
    store.loss = 0.05;
    begin(world, store, 8, 300);
    world.run(600);
    assertThat(world.provider.answered).hasSize(300);
    assertThat(world.provider.answered.values()).allMatch(times -> times == 1);
  }

  @Test
  void messages_that_are_lost_keep_none_of_thirty_waiting_for_ever() {
    store.loss = 0.02;
    begin(world, store, 30, 300);
    world.run(600);
    assertThat(world.provider.answered).hasSize(300);
    assertThat(world.provider.answered.values()).allMatch(times -> times == 1);
  }

  @Test
  void who_has_had_nothing_to_say_for_a_minute_is_heard_as_before() {
    begin(world, store, 3, 30);
    for (int i = 0; i < 60; i++) {
      var process = i % 3;
      var name = "later-" + i;
      world.total++;
      world.time.in(60 + process, () -> world.processes.get(process).enter(name));
    }
    world.run(120);
    assertThat(world.done).isEqualTo(90);
    assertThat(world.last).as("seconds").isLessThan(70);
  }

  @Test
  void a_store_that_forgets_everything_changes_nothing() {
    begin(world, store, 8, 300);
    for (int at = 3; at < 30; at += 2) {
      world.time.in(at, store::flush);
    }
    world.run(600);
    assertThat(world.done).isEqualTo(300);
    assertThat(world.timesLeast()).isLessThan(1.05);
    assertThat(world.provider.refused).isLessThanOrEqualTo(3);
  }

  @Test
  void without_a_store_work_goes_on_and_afterwards_it_is_shared_again() {
    begin(world, store, 8, 1000);
    world.time.in(5, () -> store.up = false);
    world.time.in(65, () -> store.up = true);
    while (world.time.step(65)) {}
    assertThat(world.processes)
        .allMatch(process -> process.replica.standing() == Replica.Standing.CUT_OFF);
    assertThat(world.done).as("answered while it was away").isGreaterThan(300);
    while (world.time.step(70)) {}
    assertThat(world.processes)
        .allMatch(process -> process.replica.standing() == Replica.Standing.SHARING);
    world.run(600);
    assertThat(world.done).isEqualTo(1000);
    assertThat(world.provider.refused).isLessThanOrEqualTo(8 * 5);
  }
}
