package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import picocli.CommandLine.Option;

/** The options that say how a review asks, and what it makes of the answers. */
public final class SamplingOptions {
  @SetBy(Who.PROJECT)
  @Option(
      names = "--deliberate",
      description =
          "Has the model for deep lenses settle, in one call, where findings contradict each"
              + " other.")
  private boolean deliberate;

  @SetBy(Who.USER)
  @Option(
      names = {"-y", "--yes"},
      description = "Reviews a whole repository without asking whether it may cost that much.")
  private boolean yes;

  @SetBy(Who.USER)
  @Option(
      names = "--allow-incomplete",
      description = "An incomplete review ends with the exit code of what was found.")
  private boolean allowIncomplete;

  public boolean deliberate() {
    return deliberate;
  }

  public boolean yes() {
    return yes;
  }

  public boolean allowIncomplete() {
    return allowIncomplete;
  }
}
