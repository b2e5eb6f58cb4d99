package dev.flyball.walls;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A wall between the rooms of the house: a rule about everything below one root package. It is held
 * against {@code dev.flyball} and, to see that it can fail, against a small tree with the same
 * rooms in which every rule is broken on purpose. Around a room that is not built yet a wall holds
 * by itself.
 */
enum Wall {
  CALL_STANDS_ALONE,
  LIMIT_USES_CALL,
  SCHEDULER_USES_CALL_AND_LIMIT,
  /** What decides how fast is not thread-safe: it lives under the locks of the lanes. */
  LIMIT_IS_USED_BY_SCHEDULER,
  LLM_USES_CALL,
  FORECAST_USES_SCHEDULER,
  HISTORY_USES_CALL,
  RUN_USES_WHAT_RUNS_WORK,
  BATCH_USES_RUN,
  BATCH_KNOWS_THE_VALUES_OF_HISTORY,
  REVIEW_USES_RUN,
  /** What a review is made of can be seen, planned and reported with no call made. */
  OF_REVIEW_ASK_AND_RUN_MAKE_CALLS,
  OF_REVIEW_PLAN_COUNTS_TOKENS,
  FLEET_USES_SCHEDULER,
  /** A host of code has limits as a provider has, and is reached the same way. */
  PUBLISH_USES_REVIEW,
  GATEWAY_USES_RUN_AND_REVIEW,
  /** The witness: if it counted with our counters, a wrong counter would agree with itself. */
  SIMULATOR_STANDS_ALONE,
  SIMULATOR_IS_USED_BY_COMMANDS_AND_BENCHMARKS,
  HISTORY_IS_USED_AT_THE_EDGE,
  FORECAST_IS_USED_AT_THE_EDGE,
  RUN_IS_USED_BY_FACES,
  FACES_ARE_USED_FROM_ABOVE,
  COMMANDS_ARE_USED_BY_NOBODY,
  BENCHMARKS_ARE_USED_BY_NOBODY,
  /** A server needs what a command needs, and has neither arguments nor a screen. */
  COMMANDS_ALONE_SEE_PICOCLI_OR_A_TERMINAL,
  /** The demo runs a scheduler in front of your eyes; every other command asks a front door. */
  COMMANDS_BUILD_NO_SCHEDULER_JOURNAL_OR_VERDICT,
  NO_PACKAGE_CYCLES,
  /** So the scheduler can go into any service and brings nothing along. */
  THE_SCHEDULER_MODULE_USES_JAVA_AND_JSPECIFY,
  /** A monitor pins a virtual thread to its carrier on Java 21; a lock does not. */
  NOBODY_TAKES_A_MONITOR,
  /** Logic is told the time. The simulator, which uses nothing of ours, has its own clock. */
  ONLY_TIME_READS_THE_CLOCK,
  /** The forbidden names say how a class is made or used, and not what it is. */
  NAMES_SAY_WHAT_A_THING_IS,
  /** A name means one thing. The simulator is an island and has its own words. */
  NO_NAME_TWICE,
  /** A reader takes a name of the JDK for the JDK's. */
  NO_NAME_OF_THE_JDK,
  PACKAGES_ARE_SMALL,
  /** Nobody counts past a dozen arguments without a mistake. */
  RECORDS_ARE_SMALL;

  static final int MOST_TYPES = 25;
  static final int MOST_COMPONENTS = 12;

  /** Records with more components than that, and why. */
  static final Map<String, String> LARGE_RECORDS =
      Map.of(
          "scheduler.Lanes$Settings",
          "made in one place, by the builder that says what each setting means");

  private static final String FLYBALL = "scheduler.Flyball";
  private static final String TIME = "scheduler.Time";
  private static final String HISTORY = "history.History";
  private static final String LINE_JOURNAL = "run.file.LineJournal";
  private static final String ANSWER_JOURNAL = "review.ask.AnswerJournal";
  private static final String VERDICT = "review.finding.Verdict";
  private static final String SHA_256 = "llm.Sha256";
  private static final String TERMINAL = "cli.screen.Terminal";

  /** The types that walls know by name; a wall with a name that is gone would look at nothing. */
  static final List<String> NAMED =
      List.of(FLYBALL, TIME, HISTORY, LINE_JOURNAL, ANSWER_JOURNAL, VERDICT, SHA_256, TERMINAL);

  private static final String EMPTY_NAME =
      ".*[.$](\\w*(Impl|Manager|Utils?|Helper|Info|Data)|(Abstract|Base|Default)[A-Z]\\w*)";

  ArchRule below(String root) {
    ArchRule rule =
        switch (this) {
          case CALL_STANDS_ALONE -> uses(root, "call");
          case LIMIT_USES_CALL -> uses(root, "limit", "call");
          case SCHEDULER_USES_CALL_AND_LIMIT -> uses(root, "scheduler", "call", "limit");
          case LIMIT_IS_USED_BY_SCHEDULER -> usedBy(root, "limit", "scheduler");
          case LLM_USES_CALL -> uses(root, "llm", "call");
          case FORECAST_USES_SCHEDULER -> uses(root, "forecast", "call", "scheduler");
          case HISTORY_USES_CALL -> uses(root, "history", "call");
          case RUN_USES_WHAT_RUNS_WORK ->
              uses(root, "run", "call", "scheduler", "llm", "history", "forecast", "fleet");
          case BATCH_USES_RUN -> uses(root, "batch", "call", "scheduler", "llm", "history", "run");
          case BATCH_KNOWS_THE_VALUES_OF_HISTORY ->
              noClasses()
                  .that(resideInAnyPackage(rooms(root, "batch")))
                  .should()
                  .dependOnClassesThat(
                      resideInAnyPackage(rooms(root, "history"))
                          .and(not(resideInAnyPackage(rooms(root, "history.record"))))
                          .and(not(is(root, HISTORY))));
          case REVIEW_USES_RUN ->
              uses(root, "review", "call", "scheduler", "llm", "history", "forecast", "run");
          case OF_REVIEW_ASK_AND_RUN_MAKE_CALLS ->
              noClasses()
                  .that(resideInAnyPackage(rooms(root, "review")))
                  .and(not(resideInAnyPackage(rooms(root, "review.ask", "review.run"))))
                  .should()
                  .dependOnClassesThat(
                      others(root, "review")
                          .and(not(resideInAnyPackage(rooms(root, "call", "llm.token"))))
                          .and(not(is(root, SHA_256))));
          case OF_REVIEW_PLAN_COUNTS_TOKENS ->
              noClasses()
                  .that(resideInAnyPackage(rooms(root, "review")))
                  .and(
                      not(
                          resideInAnyPackage(
                              rooms(root, "review.ask", "review.run", "review.plan"))))
                  .should()
                  .dependOnClassesThat(resideInAnyPackage(rooms(root, "llm.token")));
          case FLEET_USES_SCHEDULER -> uses(root, "fleet", "call", "scheduler");
          case PUBLISH_USES_REVIEW ->
              uses(root, "publish", "call", "scheduler", "llm", "run", "review");
          case GATEWAY_USES_RUN_AND_REVIEW ->
              uses(
                  root,
                  "gateway",
                  "call",
                  "scheduler",
                  "llm",
                  "history",
                  "forecast",
                  "run",
                  "review");
          case SIMULATOR_STANDS_ALONE -> uses(root, "simulator");
          case SIMULATOR_IS_USED_BY_COMMANDS_AND_BENCHMARKS ->
              usedBy(root, "simulator", "cli", "bench");
          case HISTORY_IS_USED_AT_THE_EDGE ->
              usedBy(root, "history", "run", "batch", "review", "gateway", "cli", "bench");
          case FORECAST_IS_USED_AT_THE_EDGE ->
              usedBy(root, "forecast", "run", "review", "gateway", "cli");
          case RUN_IS_USED_BY_FACES ->
              usedBy(root, "run", "batch", "review", "publish", "gateway", "cli");
          case FACES_ARE_USED_FROM_ABOVE ->
              outside(root, "batch", "review", "fleet", "publish", "gateway", "cli", "bench")
                  .should()
                  .dependOnClassesThat(
                      resideInAnyPackage(rooms(root, "batch", "review", "publish", "gateway")));
          case COMMANDS_ARE_USED_BY_NOBODY -> usedBy(root, "cli");
          case BENCHMARKS_ARE_USED_BY_NOBODY -> usedBy(root, "bench");
          case COMMANDS_ALONE_SEE_PICOCLI_OR_A_TERMINAL ->
              outside(root, "cli")
                  .should()
                  .dependOnClassesThat(
                      resideInAPackage("picocli..")
                          .or(HasName.Predicates.name("java.io.Console"))
                          .or(is(root, TERMINAL)))
                  .orShould()
                  .accessTargetWhere(printing(root));
          case COMMANDS_BUILD_NO_SCHEDULER_JOURNAL_OR_VERDICT ->
              noClasses()
                  .that(resideInAnyPackage(rooms(root, "cli")))
                  .should()
                  .dependOnClassesThat(is(root, LINE_JOURNAL).or(is(root, ANSWER_JOURNAL)))
                  .orShould()
                  .accessTargetWhere(building(root));
          case NO_PACKAGE_CYCLES -> slices().matching(root + ".(**)").should().beFreeOfCycles();
          case THE_SCHEDULER_MODULE_USES_JAVA_AND_JSPECIFY ->
              classes()
                  .that()
                  .resideInAnyPackage(rooms(root, "call", "limit", "scheduler"))
                  .should()
                  .onlyDependOnClassesThat(
                      resideInAPackage(root + "..")
                          .or(resideInAnyPackage("java..", "jdk.jfr..", "org.jspecify..")));
          case NOBODY_TAKES_A_MONITOR ->
              classes().that().resideInAPackage(root + "..").should(Conditions.takeNoMonitor());
          case ONLY_TIME_READS_THE_CLOCK ->
              outside(root, "simulator", "bench")
                  .and(not(is(root, TIME)))
                  .should()
                  .accessTargetWhere(describe("the clock is read", Wall::readsTheClock));
          case NAMES_SAY_WHAT_A_THING_IS ->
              noClasses()
                  .that()
                  .resideInAPackage(root + "..")
                  .should()
                  .haveNameMatching(EMPTY_NAME);
          case NO_NAME_TWICE ->
              classes()
                  .that(describe("are top-level", Shipped::isTopLevel))
                  .and(not(resideInAnyPackage(rooms(root, "simulator"))))
                  .should(Conditions.shareNoName());
          case NO_NAME_OF_THE_JDK ->
              classes()
                  .that(describe("are top-level", Shipped::isTopLevel))
                  .should(Conditions.haveNoNameOfTheJdk());
          case PACKAGES_ARE_SMALL ->
              classes()
                  .that(describe("are top-level", Shipped::isTopLevel))
                  .should(Conditions.haveFewNeighbours(MOST_TYPES));
          case RECORDS_ARE_SMALL ->
              classes()
                  .that(describe("are not excused", type -> !isExcused(root, type)))
                  .should(Conditions.haveFewComponents(MOST_COMPONENTS));
        };
    return rule.allowEmptyShould(true);
  }

  /** Of all the rooms, this one uses only those. */
  private static ArchRule uses(String root, String room, String... those) {
    return noClasses()
        .that(resideInAnyPackage(rooms(root, room)))
        .should()
        .dependOnClassesThat(others(root, room).and(not(resideInAnyPackage(rooms(root, those)))));
  }

  /** Of all the rooms, this one is used only by those. */
  private static ArchRule usedBy(String root, String room, String... those) {
    return outside(root, those)
        .and(not(resideInAnyPackage(rooms(root, room))))
        .should()
        .dependOnClassesThat(resideInAnyPackage(rooms(root, room)));
  }

  /** No class of all the rooms but these. */
  private static GivenClassesConjunction outside(String root, String... rooms) {
    return noClasses()
        .that(resideInAPackage(root + ".."))
        .and(not(resideInAnyPackage(rooms(root, rooms))));
  }

  private static DescribedPredicate<JavaClass> others(String root, String room) {
    return resideInAPackage(root + "..").and(not(resideInAnyPackage(rooms(root, room))));
  }

  private static String[] rooms(String root, String... rooms) {
    return Arrays.stream(rooms).map(room -> root + "." + room + "..").toArray(String[]::new);
  }

  /** That type, or one inside it. */
  private static DescribedPredicate<JavaClass> is(String root, String type) {
    return belongTo(HasName.Predicates.name(root + "." + type));
  }

  private static boolean isExcused(String root, JavaClass type) {
    return LARGE_RECORDS.keySet().stream()
        .anyMatch(large -> type.getName().equals(root + "." + large));
  }

  /** A benchmark prints what it measured. */
  private static DescribedPredicate<JavaAccess<?>> printing(String root) {
    return describe(
        "a standard stream is used",
        access ->
            access.getTargetOwner().getName().equals("java.lang.System")
                && Set.of("in", "out", "err", "console").contains(access.getTarget().getName())
                && !access.getOriginOwner().getPackageName().startsWith(root + ".bench"));
  }

  private static DescribedPredicate<JavaAccess<?>> building(String root) {
    return describe(
        "a scheduler or a verdict is made",
        access -> {
          String owner = access.getTargetOwner().getName();
          String member = access.getTarget().getName();
          boolean demo = access.getOriginOwner().getPackageName().startsWith(root + ".cli.demo");
          return (owner.equals(root + "." + FLYBALL)
                  && (member.equals("builder") || member.equals("create"))
                  && !demo)
              || (owner.equals(root + "." + VERDICT) && member.equals("of"));
        });
  }

  private static boolean readsTheClock(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String member = access.getTarget().getName();
    return (owner.equals("java.lang.System")
            && (member.equals("nanoTime") || member.equals("currentTimeMillis")))
        || (owner.startsWith("java.time.") && member.equals("now"))
        || (owner.equals("java.time.Clock") && member.startsWith("system"))
        || (owner.equals("java.util.Date")
            && access.getTarget().getFullName().endsWith("<init>()"));
  }
}
