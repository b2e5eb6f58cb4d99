package dev.flyball.walls;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.EvaluationResult;
import dev.flyball.planted.limit.Names;
import dev.flyball.scheduler.Flyball;
import dev.flyball.worlds.World;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class WallsTest {
  private static final JavaClasses PLANTED =
      new ClassFileImporter().importPackages("dev.flyball.planted");

  @ParameterizedTest
  @EnumSource
  void a_wall_holds(Wall wall) {
    wall.below("dev.flyball").check(Shipped.CLASSES);
  }

  @ParameterizedTest
  @EnumSource
  void a_wall_falls_where_it_is_broken_on_purpose(Wall wall) {
    assertThat(breaches(wall)).contains(names(offenders(wall)));
  }

  @Test
  void the_seam_of_time_may_read_the_clock() {
    assertThat(breaches(Wall.ONLY_TIME_READS_THE_CLOCK))
        .doesNotContain(dev.flyball.planted.scheduler.Time.class.getName());
  }

  @Test
  void the_walls_see_what_ships_and_not_the_tests() {
    JavaClasses ours = Shipped.CLASSES;
    assertThat(ours.contain(Flyball.class)).isTrue();
    assertThat(
            Stream.of("simulator", "llm", "forecast", "history", "run", "batch", "review")
                .filter(room -> ours.stream().noneMatch(type -> isIn(room, type.getPackageName()))))
        .isEmpty();
    assertThat(ours.contain("dev.flyball.cli.Main")).isTrue();
    assertThat(ours.contain("dev.flyball.bench.BenchMain")).isTrue();

    assertThat(ours.contain(WallsTest.class)).isFalse();
    assertThat(ours.contain(World.class)).isFalse();
    assertThat(ours.contain(Names.class)).isFalse();
    assertThat(ours.contain("dev.flyball.bench.CountingTest")).isFalse();
    assertThat(ours.stream().filter(type -> type.getName().contains("jmh_generated"))).isEmpty();
  }

  private static boolean isIn(String room, String packageName) {
    return (packageName + ".").startsWith("dev.flyball." + room + ".");
  }

  private static String breaches(Wall wall) {
    EvaluationResult result = wall.below("dev.flyball.planted").evaluate(PLANTED);
    return String.join("\n", result.getFailureReport().getDetails());
  }

  private static List<Class<?>> offenders(Wall wall) {
    return switch (wall) {
      case CALL_STANDS_ALONE -> List.of(dev.flyball.planted.call.UsesLimit.class);
      case LIMIT_USES_CALL -> List.of(dev.flyball.planted.limit.UsesScheduler.class);
      case SCHEDULER_USES_CALL_AND_LIMIT -> List.of(dev.flyball.planted.scheduler.UsesLlm.class);
      case LLM_USES_CALL -> List.of(dev.flyball.planted.llm.UsesScheduler.class);
      case FORECAST_USES_SCHEDULER -> List.of(dev.flyball.planted.forecast.UsesLlm.class);
      case HISTORY_USES_CALL -> List.of(dev.flyball.planted.history.UsesLlm.class);
      case BATCH_USES_RUN -> List.of(dev.flyball.planted.batch.UsesSimulator.class);
      case SIMULATOR_STANDS_ALONE -> List.of(dev.flyball.planted.simulator.UsesCall.class);
      case SIMULATOR_IS_USED_BY_COMMANDS_AND_BENCHMARKS ->
          List.of(dev.flyball.planted.review.UsesSimulator.class);
      case HISTORY_IS_USED_AT_THE_EDGE -> List.of(dev.flyball.planted.llm.UsesHistory.class);
      case FORECAST_IS_USED_AT_THE_EDGE -> List.of(dev.flyball.planted.history.UsesForecast.class);
      case FLEET_REVIEW_AND_GATEWAY_ARE_USED_BY_COMMANDS ->
          List.of(dev.flyball.planted.history.UsesReview.class);
      case COMMANDS_ARE_USED_BY_NOBODY -> List.of(dev.flyball.planted.review.UsesCommands.class);
      case NO_PACKAGE_CYCLES ->
          List.of(
              dev.flyball.planted.scheduler.UsesLlm.class,
              dev.flyball.planted.llm.UsesScheduler.class);
      case THE_SCHEDULER_MODULE_USES_JAVA_AND_JSPECIFY ->
          List.of(dev.flyball.planted.scheduler.UsesPicocli.class);
      case NOBODY_TAKES_A_MONITOR ->
          List.of(
              dev.flyball.planted.limit.SynchronizedBlock.class,
              dev.flyball.planted.limit.SynchronizedMethod.class);
      case ONLY_TIME_READS_THE_CLOCK ->
          List.of(
              dev.flyball.planted.limit.ReadsNanoTime.class,
              dev.flyball.planted.limit.ReadsInstant.class,
              dev.flyball.planted.cli.ReadsMillisByReference.class);
      case NAMES_SAY_WHAT_A_THING_IS -> List.of(Names.class.getDeclaredClasses());
    };
  }

  private static List<String> names(List<Class<?>> classes) {
    return classes.stream().<String>map(Class::getName).toList();
  }
}
