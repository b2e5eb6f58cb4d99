package dev.flyball.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes on one machine, in virtual time. */
class MachineWorldTest {
  private static World run(
      long seed, World.Limits limits, int processes, int calls, boolean kills) {
    var world = new World(seed, limits);
    var machine = new MachineWorld(world);
    world.varied = limits.tokensPerSecond() > 0;
    world.total = calls;
    for (int i = 0; i < processes; i++) {
      machine.comes(world.process(1));
    }
    for (int i = 0; i < calls; i++) {
      // Uneven on purpose: the first has as much to do as all others together.
      var process = world.processes.get(i % 2 == 0 ? 0 : i % processes);
      var name = "call-" + i;
      world.time.in(0.001 * process.number, () -> process.enter(name));
    }
    for (double at = 1; kills && at < world.least(); at += 3) {
      world.time.in(
          at,
          () -> {
            var process = world.processes.get(world.random.nextInt(processes));
            if (process.alive) {
              machine.killed(process);
              world.time.in(
                  0.3,
                  () -> {
                    machine.comesAgain(process);
                  });
            }
          });
    }
    world.run(3000);
    return world;
  }

  @ParameterizedTest
  @CsvSource({
    "10, 10, ALL", "10, 600, ALL", "100, 100, ALL",
    "10, 10, RETRY_AFTER", "50, 10, RETRY_AFTER", "10, 600, RETRY_AFTER",
    "10, 10, NOTHING", "50, 10, NOTHING", "10, 600, NOTHING"
  })
  void many_processes_keep_a_limit_as_one_would(double perSecond, double burst, World.Says says) {
    var limits = World.Limits.of(perSecond, burst).saying(says);
    int calls = burst > 500 ? 1200 : 600;
    var one = run(1, limits, 1, calls, false);
    for (int processes : new int[] {2, 8, 30}) {
      var many = run(1, limits, processes, calls, false);
      assertThat(many.done).isEqualTo(calls);
      assertThat(many.timesLeast() / one.timesLeast())
          .as("time of %d ÷ time of one", processes)
          .isLessThan(1.06);
      assertThat(many.provider.refused)
          .as("429s of %d, of one %d", processes, one.provider.refused)
          .isLessThanOrEqualTo(one.provider.refused + 14);
    }
  }

  /** Each begins a while after the one before, when that has felt its way to the limit already. */
  private static World late(long seed, World.Says says, int processes, double every) {
    var world = new World(seed, World.Limits.of(10, 10).saying(says));
    var machine = new MachineWorld(world);
    world.total = 600;
    for (int i = 0; i < processes; i++) {
      int number = i;
      world.time.in(
          every * i,
          () -> {
            var process = world.process(1);
            machine.comes(process);
            for (int call = number; call < 600; call += processes) {
              process.enter("call-" + call);
            }
          });
    }
    world.run(3000);
    return world;
  }

  @ParameterizedTest
  @CsvSource({"ALL, 0.3", "RETRY_AFTER, 0.3", "RETRY_AFTER, 1", "NOTHING, 1"})
  void who_comes_later_need_not_feel_its_way_again(World.Says says, double every) {
    int one = 0;
    int many = 0;
    for (int seed = 1; seed <= 3; seed++) {
      var alone = late(seed, says, 1, 0);
      var world = late(seed, says, 8, every);
      one += alone.provider.refused;
      many += world.provider.refused;
      assertThat(world.done).isEqualTo(600);
      assertThat(world.timesLeast()).isLessThan(1.05);
    }
    assertThat(many).as("429s of eight, of one %d", one).isLessThanOrEqualTo(one + 3 * 3);
  }

  @ParameterizedTest
  @CsvSource({"ALL", "RETRY_AFTER", "NOTHING"})
  void a_new_keeper_need_not_feel_its_way_again(World.Says says) {
    int one = 0;
    int many = 0;
    for (int seed = 1; seed <= 3; seed++) {
      var alone = late(seed, says, 1, 0);
      var world = new World(seed, World.Limits.of(10, 10).saying(says));
      var machine = new MachineWorld(world);
      world.total = 600;
      for (int i = 0; i < 8; i++) {
        machine.comes(world.process(1));
      }
      for (int i = 0; i < 600; i++) {
        world.processes.get(i % 8).enter("call-" + i);
      }
      for (int kill = 0; kill < 5; kill++) {
        world.time.in(6 + 8 * kill, () -> machine.killed(machine.keeper()));
        world.time.in(
            6.4 + 8 * kill,
            () -> {
              var dead = world.processes.stream().filter(each -> !each.alive).findFirst();
              machine.comesAgain(dead.orElseThrow());
            });
      }
      world.run(3000);
      one += alone.provider.refused;
      many += world.provider.refused;
      assertThat(world.done).isEqualTo(600);
      assertThat(world.timesLeast()).isLessThan(1.05);
    }
    assertThat(many).as("429s with five new keepers, of one %d", one).isLessThan(one + 3 * 5);
  }

  @ParameterizedTest
  @CsvSource({"2", "8", "30"})
  void calls_of_many_sizes_share_a_limit_on_tokens(int processes) {
    var limits = new World.Limits(100, 100, 50_000, World.Says.ALL);
    var world = run(1, limits, processes, 600, false);
    assertThat(world.done).isEqualTo(600);
    assertThat(world.timesLeast()).isLessThan(1.12);
    assertThat(world.provider.refused).isLessThanOrEqualTo(12);
  }

  @ParameterizedTest
  @CsvSource({"8, ALL", "30, ALL", "8, NOTHING", "30, NOTHING"})
  void killed_processes_come_back_and_every_call_is_answered_once(int processes, World.Says says) {
    var world = run(1, World.Limits.of(10, 10).saying(says), processes, 600, true);
    assertThat(world.provider.answered)
        .hasSize(600)
        .allSatisfy(
            (name, times) -> {
              assertThat(times).isEqualTo(1);
            });
    assertThat(world.timesLeast()).isLessThan(1.06);
  }

  @Test
  void shares_follow_weights() {
    var world = new World(1, World.Limits.of(100, 100));
    var machine = new MachineWorld(world);
    double[] weights = {1, 2, 4};
    for (double weight : weights) {
      var process = world.process(weight);
      machine.comes(process);
      world.time.in(
          0.1,
          () -> {
            for (int i = 0; i < 4000; i++) {
              process.enter("call-" + process.number + "-" + i);
            }
          });
    }
    world.total = 12_000;
    world.run(40);
    double all = world.provider.log.stream().filter(entry -> entry[0] > 5 && entry[0] < 35).count();
    assertThat(all / (30 * 100)).as("share of the limit that is used").isBetween(0.97, 1.01);
    for (int i = 0; i < weights.length; i++) {
      int who = i;
      double got =
          world.provider.log.stream()
              .filter(entry -> entry[0] > 5 && entry[0] < 35 && (int) entry[1] == who)
              .count();
      assertThat(got / all)
          .isCloseTo(weights[i] / 7, org.assertj.core.data.Percentage.withPercentage(10));
    }
  }

  @Test
  void one_process_alone_is_not_in_a_fleet() {
    var world = run(1, World.Limits.of(10, 10), 1, 50, false);
    assertThat(world.notes).isEmpty();
    assertThat(world.done).isEqualTo(50);
  }
}
