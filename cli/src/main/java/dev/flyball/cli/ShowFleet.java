package dev.flyball.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.flyball.cli.help.Examples;
import dev.flyball.cli.option.FleetOption;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.fleet.Fleet;
import dev.flyball.fleet.FleetPlace;
import dev.flyball.fleet.FleetView;
import dev.flyball.run.ExitCode;
import dev.flyball.run.RunFleet;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball fleet}: the processes that share limits, and those limits. */
@Command(
    name = "fleet",
    description = {
      "Shows the processes that share rate limits at the moment, on this machine or at a Redis:"
          + " what each has waiting and in flight, and what is known about the limits.",
      "A process that is alone shares nothing."
    },
    footer = {"", "Exit codes: 0, also if there are none; 2 if Redis cannot be used."})
@Examples({"flyball fleet", "flyball fleet --fleet redis://host --json"})
final class ShowFleet implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Mixin private FleetOption fleet;

  @SetBy(Who.USER)
  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    var view = look();
    var out = spec.commandLine().getOut();
    if (json) {
      var mapper = JsonMapper.builder().addModule(new Jdk8Module()).build();
      out.println(
          view.isPresent()
              ? mapper.writeValueAsString(view.get())
              : mapper.writeValueAsString(Map.of()));
    } else if (view.isEmpty()) {
      out.println(
          fleet.place() instanceof FleetPlace.AtRedis redis
              ? "No process shares limits at " + redis.place() + "."
              : "None of your processes on this machine shares limits.");
    } else {
      show(view.get());
    }
    return ExitCode.DONE.code();
  }

  private Optional<FleetView> look() {
    if (fleet.place() instanceof FleetPlace.AtRedis redis) {
      try {
        return Fleet.look(redis);
      } catch (IOException refused) {
        throw new ParameterException(spec.commandLine(), "--fleet: " + refused.getMessage());
      }
    }
    try {
      return Fleet.look(RunFleet.folder(main.config().environment()));
    } catch (IOException noFolder) {
      return Optional.empty();
    }
  }

  private void show(FleetView fleet) {
    var out = spec.commandLine().getOut();
    if (fleet.replicas().isEmpty()) {
      out.println(fleet.keeper() + " is alone and shares nothing.");
      return;
    }
    out.printf(
        Locale.ROOT,
        "%-24s %8s %8s %10s %11s%n",
        "process",
        "weight",
        "waiting",
        "in flight",
        "departures");
    for (var one : fleet.replicas()) {
      out.printf(
          Locale.ROOT,
          "%-24s %8.3g %8d %10d %11d%n",
          one.name(),
          one.weight(),
          one.waiting(),
          one.inFlight(),
          one.departures());
    }
    for (var lane : fleet.lanes()) {
      out.println();
      out.printf("%s: %d in flight, %d waiting%n", lane.lane(), lane.inFlight(), lane.waiting());
      lane.waitsFor().ifPresent(what -> out.println("  waiting for " + what));
      for (var limit : lane.limits()) {
        out.printf(
            Locale.ROOT,
            "  %-20s %s, %.3g a second%n",
            limit.of(),
            limit.most() > 0
                ? limit.most() + " in a period, " + (long) limit.left() + " left"
                : "learned",
            limit.perSecond());
      }
    }
  }
}
