package dev.flyball.history.record;

/**
 * One command at work, as it is known when it begins. What does not apply is empty.
 *
 * @param input the name of the file or the range that it works on
 * @param models the models it will ask, separated by commas
 */
public record RunStart(
    String command,
    String mode,
    String repository,
    String input,
    AnswerOrigin origin,
    String provider,
    String models,
    PriceBasis prices) {
  public RunStart {
    if (command.isBlank()) {
      throw new IllegalArgumentException("a run has a command, but it was blank");
    }
  }

  public static RunStart of(String command, String mode, AnswerOrigin origin) {
    return new RunStart(command, mode, "", "", origin, "", "", PriceBasis.UNKNOWN);
  }

  public RunStart in(String otherRepository, String otherInput) {
    return new RunStart(
        command, mode, otherRepository, otherInput, origin, provider, models, prices);
  }

  public RunStart asking(String otherProvider, String otherModels, PriceBasis otherPrices) {
    return new RunStart(
        command, mode, repository, input, origin, otherProvider, otherModels, otherPrices);
  }
}
