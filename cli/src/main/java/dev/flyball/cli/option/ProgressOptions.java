package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.screen.Terminal;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that says how progress is shown. */
public final class ProgressOptions {
  /** A way to show it. */
  public enum Shown {
    /** A picture on a terminal. */
    BAR,
    /** A line now and then. */
    PLAIN,
    /** An object each second. */
    JSON,
    NONE
  }

  private static final String AUTO = "auto";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--progress",
      paramLabel = "auto|bar|plain|json|none",
      defaultValue = AUTO,
      description = "How progress is shown. (${DEFAULT-VALUE})")
  private String progress;

  /** What was asked for, else what fits: a picture on a terminal, lines elsewhere. */
  public Shown shown() {
    if (progress.equals(AUTO)) {
      return Terminal.isThere() ? Shown.BAR : Shown.PLAIN;
    }
    return Arrays.stream(Shown.values())
        .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(progress))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "--progress: one of auto, "
                        + Arrays.stream(Shown.values())
                            .map(each -> each.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "))
                        + " is expected, not "
                        + progress));
  }
}
