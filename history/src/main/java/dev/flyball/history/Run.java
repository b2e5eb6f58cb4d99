package dev.flyball.history;

/**
 * One command at work, as it is known when it begins. What does not apply is empty.
 *
 * @param input the name of the file or the range that it works on
 * @param models the models it will ask, separated by commas
 */
public record Run(
    String command,
    String mode,
    String repository,
    String input,
    Origin origin,
    String provider,
    String models,
    Forecast forecast,
    Prices prices) {
  public Run {
    if (command.isBlank()) {
      throw new IllegalArgumentException("a run has a command, but it was blank");
    }
  }

  public static Run of(String command, String mode, Origin origin) {
    return new Run(command, mode, "", "", origin, "", "", Forecast.NONE, Prices.UNKNOWN);
  }

  public Run in(String otherRepository, String otherInput) {
    return new Run(
        command, mode, otherRepository, otherInput, origin, provider, models, forecast, prices);
  }

  public Run asking(String otherProvider, String otherModels, Prices otherPrices) {
    return new Run(
        command,
        mode,
        repository,
        input,
        origin,
        otherProvider,
        otherModels,
        forecast,
        otherPrices);
  }

  public Run expecting(Forecast other) {
    return new Run(command, mode, repository, input, origin, provider, models, other, prices);
  }
}
