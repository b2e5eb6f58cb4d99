package dev.flyball.cli;

import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
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
      "Shows what was learned about the limits of each lane (a provider's class of models under one"
          + " key), and about how many tokens prompts are.",
      "A next run starts from it and believes the first reply more. A lane of a server that you"
          + " named is called by its address, and is never taken for one of another address."
    },
    footer = {
      "",
      "A limit that is `felt` was stated by no reply: refusals told it, so it is about right.",
      "  flyball lanes --forget                 forgets everything",
      "  flyball lanes --forget localhost:8089  forgets all lanes of that server"
    })
final class ShowLanes implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Option(
      names = "--forget",
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "LANE",
      description = "Forgets one lane, or all whose names begin so, or everything.")
  private @Nullable String forget;

  @Override
  public Integer call() throws IOException {
    var out = spec.commandLine().getOut();
    var state = StateFolder.of(main.config().environment());
    var file = state.path().resolve(LearnedFile.NAME);
    if (forget != null && forget.isEmpty()) {
      boolean was = state.delete(LearnedFile.NAME);
      out.println(was ? "forgotten: " + file : "nothing was learned yet");
      return ExitCode.DONE.code();
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
      out.println("nothing was learned yet: a run of `flyball batch` will");
      return ExitCode.DONE.code();
    }
    learned.lanes().lanes().entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.comparing(LaneId::toString)))
        .forEach(entry -> lane(out, entry.getKey(), entry.getValue()));
    if (!learned.tokens().isEmpty()) {
      out.println("tokens of prompts");
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
      return refuse("--forget: nothing was learned of " + name + "; `flyball lanes` has the names");
    }
    learned.without(gone::contains).write(state);
    gone.forEach(id -> spec.commandLine().getOut().println("forgotten: " + id));
    return ExitCode.DONE.code();
  }

  private static void lane(PrintWriter out, LaneId id, LearnedLimits.OfLane lane) {
    out.println(id + "   learned " + lane.at().truncatedTo(ChronoUnit.SECONDS));
    lane.allowances().forEach(each -> out.println("  " + words(each)));
    if (lane.pace().perSecond() > 0) {
      out.printf(
          "  calls: felt about %.3g a second, about %.0f at once; refusals told it, no reply stated"
              + " it%n",
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
            ? "%,d a %s".formatted(each.limit(), period(each.dimension()))
            : "no stated limit";
    return "%s: %s, %,.1f a minute left to us"
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
