package dev.flyball.run;

import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The file of what runs have learned, as a run finds it and leaves it for the next. A file that
 * cannot be read or written is said, and stops nothing.
 */
public final class LearnedStore {
  private final Map<String, String> environment;
  private final Consumer<String> warnings;

  public LearnedStore(Map<String, String> environment, Consumer<String> warnings) {
    this.environment = environment;
    this.warnings = warnings;
  }

  /** What earlier runs have learned. */
  public LearnedFile read() {
    try {
      return LearnedFile.read(StateFolder.of(environment));
    } catch (IOException damaged) {
      warnings.accept("%s is left alone: %s".formatted(place(), damaged.getMessage()));
      return LearnedFile.NOTHING;
    }
  }

  /** Adds what this run has learned. */
  public void keep(LearnedFile learned) {
    try {
      learned.over(read()).write(StateFolder.of(environment));
    } catch (IOException full) {
      warnings.accept(
          "what was learned could not be kept in %s: %s".formatted(place(), full.getMessage()));
    }
  }

  private String place() {
    try {
      return StateFolder.of(environment).path().resolve(LearnedFile.NAME).toString();
    } catch (IOException nowhere) {
      return LearnedFile.NAME;
    }
  }
}
