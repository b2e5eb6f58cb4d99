package dev.flyball.bench;

import java.util.Arrays;
import java.util.List;

/** Runs one of the programs by its name, or lists them all. */
public final class Main {
  /** Something that measures and prints what it found. */
  private interface Program {
    void run(String[] args) throws Exception;
  }

  private record Entry(String name, String measures, Program program) {}

  private static final List<Entry> PROGRAMS =
      List.of(
          new Entry(
              "jmh", "the JMH benchmarks; takes JMH's own arguments", org.openjdk.jmh.Main::main));

  private Main() {}

  /** The first argument is the program's name; the rest is handed to it. */
  public static void main(String[] args) throws Exception {
    if (args.length == 0 || args[0].equals("--help")) {
      list();
      return;
    }
    for (Entry entry : PROGRAMS) {
      if (entry.name().equals(args[0])) {
        entry.program().run(Arrays.copyOfRange(args, 1, args.length));
        return;
      }
    }
    System.err.println("bench: there is no program " + args[0] + " (`bench/run` lists them)");
    System.exit(2);
  }

  private static void list() {
    System.out.println("bench/run PROGRAM [ARGUMENTS]\n");
    for (Entry entry : PROGRAMS) {
      System.out.printf("  %-8s %s%n", entry.name(), entry.measures());
    }
  }
}
