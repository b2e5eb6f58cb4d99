package dev.flyball.walls;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.EvaluationResult;
import dev.flyball.planted.limit.Names;
import dev.flyball.scheduler.Flyball;
import dev.flyball.worlds.World;
import java.util.List;
import java.util.Map;
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
  void a_wall_leaves_alone_what_it_allows() {
    innocents().forEach((wall, types) -> assertThat(breaches(wall)).doesNotContain(names(types)));
  }

  @Test
  void the_walls_see_what_ships_and_not_the_tests() {
    JavaClasses ours = Shipped.CLASSES;
    assertThat(ours.contain(Flyball.class)).isTrue();
    assertThat(
            Stream.of(
                    "simulator",
                    "llm",
                    "forecast",
                    "history",
                    "fleet",
                    "run",
                    "batch",
                    "review",
                    "publish",
                    "gateway")
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

  @Test
  void a_type_that_a_wall_knows_by_name_is_there() {
    assertThat(Wall.NAMED).allMatch(type -> Shipped.CLASSES.contain("dev.flyball." + type));
  }

  @Test
  void a_record_that_is_excused_needs_the_excuse() {
    assertThat(Wall.LARGE_RECORDS.keySet())
        .allMatch(
            type ->
                Conditions.components(Shipped.CLASSES.get("dev.flyball." + type))
                    > Wall.MOST_COMPONENTS);
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
      case LIMIT_IS_USED_BY_SCHEDULER -> List.of(dev.flyball.planted.forecast.UsesLimit.class);
      case LLM_USES_CALL -> List.of(dev.flyball.planted.llm.UsesScheduler.class);
      case FORECAST_USES_SCHEDULER ->
          List.of(
              dev.flyball.planted.forecast.UsesLlm.class,
              dev.flyball.planted.forecast.UsesLimit.class);
      case HISTORY_USES_CALL -> List.of(dev.flyball.planted.history.UsesLlm.class);
      case RUN_USES_WHAT_RUNS_WORK -> List.of(dev.flyball.planted.run.UsesBatch.class);
      case BATCH_USES_RUN ->
          List.of(
              dev.flyball.planted.batch.UsesSimulator.class,
              dev.flyball.planted.batch.UsesForecast.class);
      case BATCH_KNOWS_THE_VALUES_OF_HISTORY -> List.of(dev.flyball.planted.batch.UsesStore.class);
      case REVIEW_USES_RUN -> List.of(dev.flyball.planted.review.ask.UsesBatch.class);
      case OF_REVIEW_ASK_AND_RUN_MAKE_CALLS ->
          List.of(
              dev.flyball.planted.review.plan.UsesRun.class,
              dev.flyball.planted.review.plan.UsesScheduler.class,
              dev.flyball.planted.review.plan.UsesForecast.class,
              dev.flyball.planted.review.plan.UsesHistory.class,
              dev.flyball.planted.review.plan.UsesLlm.class);
      case OF_REVIEW_PLAN_COUNTS_TOKENS ->
          List.of(dev.flyball.planted.review.finding.UsesTokens.class);
      case FLEET_USES_SCHEDULER -> List.of(dev.flyball.planted.fleet.UsesLlm.class);
      case PUBLISH_USES_REVIEW -> List.of(dev.flyball.planted.publish.UsesHistory.class);
      case GATEWAY_USES_RUN_AND_REVIEW -> List.of(dev.flyball.planted.gateway.UsesCommands.class);
      case SIMULATOR_STANDS_ALONE -> List.of(dev.flyball.planted.simulator.UsesCall.class);
      case SIMULATOR_IS_USED_BY_COMMANDS_AND_BENCHMARKS ->
          List.of(dev.flyball.planted.review.UsesSimulator.class);
      case HISTORY_IS_USED_AT_THE_EDGE -> List.of(dev.flyball.planted.llm.UsesHistory.class);
      case FORECAST_IS_USED_AT_THE_EDGE ->
          List.of(
              dev.flyball.planted.history.UsesForecast.class,
              dev.flyball.planted.batch.UsesForecast.class);
      case RUN_IS_USED_BY_FACES -> List.of(dev.flyball.planted.fleet.UsesRun.class);
      case FACES_ARE_USED_FROM_ABOVE ->
          List.of(
              dev.flyball.planted.history.UsesReview.class,
              dev.flyball.planted.run.UsesBatch.class);
      case COMMANDS_ARE_USED_BY_NOBODY -> List.of(dev.flyball.planted.review.UsesCommands.class);
      case BENCHMARKS_ARE_USED_BY_NOBODY -> List.of(dev.flyball.planted.cli.UsesBench.class);
      case COMMANDS_ALONE_SEE_PICOCLI_OR_A_TERMINAL ->
          List.of(
              dev.flyball.planted.scheduler.UsesPicocli.class,
              dev.flyball.planted.review.UsesTerminal.class,
              dev.flyball.planted.review.AsksConsole.class,
              dev.flyball.planted.review.Prints.class);
      case COMMANDS_BUILD_NO_SCHEDULER_JOURNAL_OR_VERDICT ->
          List.of(
              dev.flyball.planted.cli.BuildsScheduler.class,
              dev.flyball.planted.cli.CreatesScheduler.class,
              dev.flyball.planted.cli.OpensLineJournal.class,
              dev.flyball.planted.cli.OpensAnswerJournal.class,
              dev.flyball.planted.cli.Judges.class);
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
      case NO_NAME_TWICE ->
          List.of(
              dev.flyball.planted.history.UsesLlm.class,
              dev.flyball.planted.forecast.UsesLlm.class);
      case NO_NAME_OF_THE_JDK ->
          List.of(
              dev.flyball.planted.names.Record.class,
              dev.flyball.planted.names.Scanner.class,
              dev.flyball.planted.names.Reader.class);
      case PACKAGES_ARE_SMALL -> List.of(dev.flyball.planted.crowd.Crowd.class);
      case RECORDS_ARE_SMALL -> List.of(dev.flyball.planted.limit.Thirteen.class);
    };
  }

  /** What comes near to breaking a wall and does not. */
  private static Map<Wall, List<Class<?>>> innocents() {
    return Map.of(
        Wall.ONLY_TIME_READS_THE_CLOCK,
        List.of(dev.flyball.planted.scheduler.Time.class),
        Wall.BATCH_KNOWS_THE_VALUES_OF_HISTORY,
        List.of(dev.flyball.planted.batch.ReadsHistory.class),
        Wall.OF_REVIEW_ASK_AND_RUN_MAKE_CALLS,
        List.of(
            dev.flyball.planted.review.plan.CountsTokens.class,
            dev.flyball.planted.review.finding.KnowsValues.class,
            dev.flyball.planted.review.ask.Question.class),
        Wall.OF_REVIEW_PLAN_COUNTS_TOKENS,
        List.of(dev.flyball.planted.review.plan.CountsTokens.class),
        Wall.COMMANDS_ALONE_SEE_PICOCLI_OR_A_TERMINAL,
        List.of(dev.flyball.planted.bench.Measurement.class),
        Wall.COMMANDS_BUILD_NO_SCHEDULER_JOURNAL_OR_VERDICT,
        List.of(
            dev.flyball.planted.cli.ReadsVerdict.class, dev.flyball.planted.cli.demo.Scene.class),
        Wall.NO_NAME_TWICE,
        List.of(dev.flyball.planted.simulator.Finding.class),
        Wall.PACKAGES_ARE_SMALL,
        List.of(dev.flyball.planted.limit.Bucket.class),
        Wall.RECORDS_ARE_SMALL,
        List.of(dev.flyball.planted.limit.Twelve.class));
  }

  private static List<String> names(List<Class<?>> classes) {
    return classes.stream().<String>map(Class::getName).toList();
  }
}
