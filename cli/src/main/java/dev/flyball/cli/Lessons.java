package dev.flyball.cli;

import dev.flyball.llm.Learned;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What runs have learned, as a command finds it and leaves it for the next. A file that cannot be
 * read or written is said, and stops nothing.
 */
final class Lessons {
  private final CommandSpec command;
  private final Map<String, String> environment;

  Lessons(CommandSpec command, Map<String, String> environment) {
    this.command = command;
    this.environment = environment;
  }

  /** What earlier runs have learned. */
  Learned read() {
    var file = StateFolder.learned(environment);
    try {
      return Learned.read(file);
    } catch (IOException damaged) {
      say(file + " is left alone: " + damaged.getMessage());
      return Learned.NOTHING;
    }
  }

  /** Adds what this run has learned. */
  void keep(Learned learned) {
    var file = StateFolder.learned(environment);
    try {
      learned.over(read()).write(file);
    } catch (IOException full) {
      say("what was learned could not be kept in " + file + ": " + full.getMessage());
    }
  }

  private void say(String what) {
    command.commandLine().getErr().println(command.qualifiedName() + ": " + what);
  }
}
