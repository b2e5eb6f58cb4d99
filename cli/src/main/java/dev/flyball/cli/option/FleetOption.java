package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.fleet.FleetPlace;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that says with whom limits are shared. */
public final class FleetOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SetBy(Who.USER)
  @Option(
      names = "--fleet",
      paramLabel = "WHERE",
      defaultValue = "machine",
      description =
          "Share limits with this user's other processes (machine), with all that use a Redis"
              + " (redis://... or rediss://...), or with nobody (none). Default: ${DEFAULT-VALUE}")
  private String fleet;

  /** Where, refused if that is no place. */
  public FleetPlace place() {
    try {
      return FleetPlace.of(fleet);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), "--fleet: " + wrong.getMessage());
    }
  }
}
