package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import picocli.CommandLine.Option;

/** The options that say how a review asks, and what it makes of the answers. */
public final class SamplingOptions {
  @SetBy(Who.PROJECT)
  @Option(
      names = "--deliberate",
      description = "Ask the model once more where findings contradict each other.")
  private boolean deliberate;

  @SetBy(Who.USER)
  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask before reviewing a whole repository.")
  private boolean yes;

  @SetBy(Who.USER)
  @Option(
      names = "--allow-incomplete",
      description = "Do not exit with 3 if the review is incomplete.")
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
