package dev.flyball.walls;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

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
  LLM_USES_CALL,
  FORECAST_USES_SCHEDULER,
  HISTORY_USES_CALL,
  BATCH_USES_RUN,
  /** The witness: if it counted with our counters, a wrong counter would agree with itself. */
  SIMULATOR_STANDS_ALONE,
  SIMULATOR_IS_USED_BY_COMMANDS_AND_BENCHMARKS,
  HISTORY_IS_USED_AT_THE_EDGE,
  FORECAST_IS_USED_AT_THE_EDGE,
  FLEET_REVIEW_AND_GATEWAY_ARE_USED_BY_COMMANDS,
  COMMANDS_ARE_USED_BY_NOBODY,
  NO_PACKAGE_CYCLES,
  /** So the scheduler can go into any service and brings nothing along. */
  THE_SCHEDULER_MODULE_USES_JAVA_AND_JSPECIFY,
  /** A monitor pins a virtual thread to its carrier on Java 21; a lock does not. */
  NOBODY_TAKES_A_MONITOR,
  /** Logic is told the time. The simulator, which uses nothing of ours, has its own clock. */
  ONLY_TIME_READS_THE_CLOCK,
  /** The forbidden names say how a class is made or used, and not what it is. */
  NAMES_SAY_WHAT_A_THING_IS;

  private static final String EMPTY_NAME =
      ".*[.$](\\w*(Impl|Manager|Utils?|Helper|Info|Data)|(Abstract|Base|Default)[A-Z]\\w*)";

  ArchRule below(String root) {
    ArchRule rule =
        switch (this) {
          case CALL_STANDS_ALONE -> uses(root, "call");
          case LIMIT_USES_CALL -> uses(root, "limit", "call");
          case SCHEDULER_USES_CALL_AND_LIMIT -> uses(root, "scheduler", "call", "limit");
          case LLM_USES_CALL -> uses(root, "llm", "call");
          case FORECAST_USES_SCHEDULER -> uses(root, "forecast", "call", "limit", "scheduler");
          case HISTORY_USES_CALL -> uses(root, "history", "call");
          case BATCH_USES_RUN -> uses(root, "batch", "call", "scheduler", "llm", "history", "run");
          case SIMULATOR_STANDS_ALONE -> uses(root, "simulator");
          case SIMULATOR_IS_USED_BY_COMMANDS_AND_BENCHMARKS ->
              usedBy(root, "simulator", "cli", "bench");
          case HISTORY_IS_USED_AT_THE_EDGE ->
              usedBy(root, "history", "run", "batch", "review", "gateway", "cli", "bench");
          case FORECAST_IS_USED_AT_THE_EDGE ->
              usedBy(root, "forecast", "run", "review", "gateway", "cli");
          case FLEET_REVIEW_AND_GATEWAY_ARE_USED_BY_COMMANDS ->
              noClasses()
                  .that()
                  .resideInAnyPackage(rooms(root, "call", "limit", "scheduler", "llm"))
                  .or()
                  .resideInAnyPackage(rooms(root, "history", "forecast", "adapters"))
                  .should()
                  .dependOnClassesThat()
                  .resideInAnyPackage(rooms(root, "fleet", "review", "gateway"));
          case COMMANDS_ARE_USED_BY_NOBODY -> usedBy(root, "cli");
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
              classes().that().resideInAPackage(root + "..").should(takeNoMonitor());
          case ONLY_TIME_READS_THE_CLOCK ->
              noClasses()
                  .that()
                  .resideInAPackage(root + "..")
                  .and()
                  .resideOutsideOfPackages(rooms(root, "simulator", "bench"))
                  .and(not(belongTo(HasName.Predicates.name(root + ".scheduler.Time"))))
                  .should()
                  .accessTargetWhere(describe("the clock is read", Wall::readsTheClock));
          case NAMES_SAY_WHAT_A_THING_IS ->
              noClasses()
                  .that()
                  .resideInAPackage(root + "..")
                  .should()
                  .haveNameMatching(EMPTY_NAME);
        };
    return rule.allowEmptyShould(true);
  }

  /** Of all the rooms, this one uses only those. */
  private static ArchRule uses(String root, String room, String... those) {
    DescribedPredicate<JavaClass> others =
        resideInAPackage(root + "..")
            .and(not(resideInAnyPackage(rooms(root, room))))
            .and(not(resideInAnyPackage(rooms(root, those))));
    return noClasses()
        .that()
        .resideInAnyPackage(rooms(root, room))
        .should()
        .dependOnClassesThat(others);
  }

  /** Of all the rooms, this one is used only by those. */
  private static ArchRule usedBy(String root, String room, String... those) {
    return noClasses()
        .that()
        .resideInAPackage(root + "..")
        .and()
        .resideOutsideOfPackages(rooms(root, room))
        .and()
        .resideOutsideOfPackages(rooms(root, those))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(rooms(root, room));
  }

  private static String[] rooms(String root, String... rooms) {
    return Arrays.stream(rooms).map(room -> root + "." + room + "..").toArray(String[]::new);
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

  /** ArchUnit sees synchronized methods but not synchronized blocks; those are in the bytecode. */
  private static ArchCondition<JavaClass> takeNoMonitor() {
    return new ArchCondition<>("take no monitor") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        bytecode(type)
            .accept(
                new ClassVisitor(Opcodes.ASM9) {
                  @Override
                  public MethodVisitor visitMethod(
                      int access, String name, String types, String generics, String[] thrown) {
                    if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                      report(name);
                    }
                    return new MethodVisitor(Opcodes.ASM9) {
                      @Override
                      public void visitInsn(int opcode) {
                        if (opcode == Opcodes.MONITORENTER) {
                          report(name);
                        }
                      }
                    };
                  }

                  private void report(String method) {
                    events.add(violated(type, type.getName() + "." + method + " is synchronized"));
                  }
                },
                ClassReader.SKIP_DEBUG);
      }
    };
  }

  private static ClassReader bytecode(JavaClass type) {
    try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
      return new ClassReader(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
