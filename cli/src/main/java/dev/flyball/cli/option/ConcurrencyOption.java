package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that says how many requests there may be at one time. */
public final class ConcurrencyOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--concurrency",
      paramLabel = "auto|N",
      defaultValue = "auto",
      description =
          "Maximum concurrent requests in the whole run; rate limiting applies anyway. Default:"
              + " ${DEFAULT-VALUE}")
  private String concurrency;

  /** A number, where somebody said one. */
  public OptionalInt most() {
    if (concurrency.equals("auto")) {
      return OptionalInt.empty();
    }
    if (!concurrency.matches("[1-9]\\d{0,5}")) {
      throw new ParameterException(
          spec.commandLine(), "--concurrency: must be auto or at least 1, not " + concurrency);
    }
    return OptionalInt.of(Integer.parseInt(concurrency));
  }
}
