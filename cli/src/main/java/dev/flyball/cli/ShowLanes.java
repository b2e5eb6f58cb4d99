package dev.flyball.cli;

import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.cli.help.Examples;
import dev.flyball.cli.screen.Confirmation;
import dev.flyball.run.ExitCode;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball lanes}: what earlier runs have learned, or that it be forgotten. */
@Command(
    name = "lanes",
    description = {
      "Shows the rate limits learned for each lane: a class of models of one provider under one"
          + " key.",
      "The next run starts from these values; live headers win. Runs with --provider simulated are"
          + " not learned from."
    },
    footer = {
      "",
      "A limit marked `felt` is an estimate from 429s, because the replies do not state it.",
      "",
      "Exit codes: 0, or 2 if there is nothing to forget."
    })
@Examples({
  "flyball lanes",
  "flyball lanes --forget localhost:8089    forget all lanes of that server",
  "flyball lanes --forget --yes             forget everything"
})
final class ShowLanes implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Option(
      names = "--forget",
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "LANE",
      description =
          "Forget one lane, all whose names begin with this, or (without a name) everything.")
  private @Nullable String forget;

  @Option(
      names = {"-y", "--yes"},
      description = "With --forget: do not ask.")
  private boolean yes;

  @Override
  public Integer call() throws IOException {
    var out = spec.commandLine().getOut();
    var state = StateFolder.of(main.config().environment());
    var file = state.path().resolve(LearnedFile.NAME);
    if (forget != null && forget.isEmpty()) {
      return forgetAll(state);
    }
    LearnedFile learned;
    try {
      learned = LearnedFile.read(state);
    } catch (IOException damaged) {
      return refuse(file + ": " + damaged.getMessage() + "; `--forget` removes it");
    }
    if (forget != null) {
      return forget(forget, learned, state);
    }
    if (learned.lanes().lanes().isEmpty() && learned.tokens().isEmpty()) {
      out.println(
          "no limits learned yet: run `flyball batch` against a real provider (runs with --provider"
              + " simulated are not learned from)");
      return ExitCode.DONE.code();
    }
    learned.lanes().lanes().entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.comparing(LaneId::toString)))
        .forEach(entry -> lane(out, entry.getKey(), entry.getValue()));
    if (!learned.tokens().isEmpty()) {
      out.println("token estimates");
      learned
          .tokens()
          .forEach(
              (model, known) ->
                  out.printf(
                      "  %s: %.2f x the first count, off by %.1f %% (%,d replies)%n",
                      model, known.factor(), 100 * known.error(), known.samples()));
    }
    return ExitCode.DONE.code();
  }

  private int forgetAll(StateFolder state) throws IOException {
    var out = spec.commandLine().getOut();
    var err = spec.commandLine().getErr();
    int lanes = counted(state);
    if (lanes == 0) {
      state.delete(LearnedFile.NAME);
      out.println("nothing was learned yet");
      return ExitCode.DONE.code();
    }
    if (!yes
        && !Confirmation.given(
            "Forget the limits of all %,d lanes, of every project? [y/N] ".formatted(lanes), out)) {
      err.println("flyball lanes: nothing was forgotten; pass --yes to forget everything");
      return ExitCode.REFUSED.code();
    }
    state.delete(LearnedFile.NAME);
    out.println("forgot %,d lane%s".formatted(lanes, lanes == 1 ? "" : "s"));
    return ExitCode.DONE.code();
  }

  /** A file that cannot be read counts as one: it can be forgotten too. */
  private static int counted(StateFolder state) {
    try {
      var known = LearnedFile.read(state);
      return known.lanes().lanes().isEmpty() && known.tokens().isEmpty()
          ? 0
          : Math.max(1, known.lanes().lanes().size());
    } catch (IOException damaged) {
      return 1;
    }
  }

  private int refuse(String why) {
    spec.commandLine().getErr().println("flyball lanes: " + why);
    return ExitCode.REFUSED.code();
  }

  private int forget(String name, LearnedFile learned, StateFolder state) throws IOException {
    var gone =
        learned.lanes().lanes().keySet().stream()
            .filter(id -> (id + "/").startsWith(name + "/"))
            .sorted(Comparator.comparing(LaneId::toString))
            .toList();
    if (gone.isEmpty()) {
      return refuse("--forget: no lane begins with " + name + "; `flyball lanes` lists them");
    }
    learned.without(gone::contains).write(state);
    gone.forEach(id -> spec.commandLine().getOut().println("forgotten: " + id));
    return ExitCode.DONE.code();
  }

  private static void lane(PrintWriter out, LaneId id, LearnedLimits.OfLane lane) {
    var at = lane.at().truncatedTo(ChronoUnit.SECONDS).toString();
    out.println(id + "   learned " + at.replace('T', ' ').replace("Z", " UTC"));
    lane.allowances().forEach(each -> out.println("  " + words(each)));
    if (lane.pace().perSecond() > 0) {
      out.printf(
          "  requests: felt, about %.3g per second, about %.0f at once (estimated from 429s)%n",
          lane.pace().perSecond(), lane.pace().burst());
    }
    lane.outputs()
        .forEach(
            (kind, size) ->
                out.printf(
                    "  answers%s: about %,d tokens%n",
                    kind.isEmpty() ? "" : " (" + kind + ")", size));
  }

  private static String words(LearnedLimits.Learned each) {
    var rate = each.perSecond() * 60;
    var limit =
        each.limit() > 0
            ? "%,d per %s".formatted(each.limit(), period(each.dimension()))
            : "no stated limit";
    return "%s: %s, %,.1f per minute available"
        .formatted(each.dimension().name().replace('_', ' '), limit, rate);
  }

  private static String period(Dimension dimension) {
    return switch ((int) dimension.period().toSeconds()) {
      case 1 -> "second";
      case 60 -> "minute";
      case 3_600 -> "hour";
      case 86_400 -> "day";
      default -> dev.flyball.call.DurationText.of(dimension.period());
    };
  }
}
