package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.screen.TerminalTraits;
import dev.flyball.cli.screen.TerminalTraits.Channel;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
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
      paramLabel = "MODE",
      defaultValue = AUTO,
      description =
          "auto, bar, plain, json or none; auto is bar on a terminal and plain elsewhere. Default:"
              + " ${DEFAULT-VALUE}")
  private String progress;

  /** What was asked for, else what fits the stream: a picture on a terminal, lines elsewhere. */
  public Shown shown(Channel channel, Map<String, String> environment) {
    var dumb = environment.getOrDefault("TERM", "").equals("dumb");
    if (progress.equals(AUTO)) {
      return TerminalTraits.of(channel, environment).live() ? Shown.BAR : Shown.PLAIN;
    }
    var named =
        Arrays.stream(Shown.values())
            .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(progress))
            .findFirst()
            .orElseThrow(() -> wrong(progress));
    return named == Shown.BAR && dumb ? Shown.PLAIN : named;
  }

  private ParameterException wrong(String word) {
    return new ParameterException(
        spec.commandLine(),
        "--progress: must be one of auto, "
            + Arrays.stream(Shown.values())
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "))
            + ", not "
            + word);
  }
}
