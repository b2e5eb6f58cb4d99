package dev.flyball.cli;

import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.run.ExitCode;
import dev.flyball.run.LearnedFile;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.Callable;
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
      "A next run starts from it and believes the first reply more."
    })
final class ShowLanes implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Option(names = "--forget", description = "Forgets all of it.")
  private boolean forget;

  @Override
  public Integer call() throws IOException {
    var out = spec.commandLine().getOut();
    var state = StateFolder.of(main.config().environment());
    var file = state.path().resolve(LearnedFile.NAME);
    if (forget) {
      boolean was = state.delete(LearnedFile.NAME);
      out.println(was ? "forgotten: " + file : "nothing was learned yet");
      return ExitCode.DONE.code();
    }
    LearnedFile learned;
    try {
      learned = LearnedFile.read(state);
    } catch (IOException damaged) {
      spec.commandLine()
          .getErr()
          .println(
              "flyball lanes: " + file + ": " + damaged.getMessage() + "; `--forget` removes it");
      return ExitCode.REFUSED.code();
    }
    if (learned.lanes().lanes().isEmpty() && learned.tokens().isEmpty()) {
      out.println("nothing was learned yet: a run of `flyball batch` will");
      return ExitCode.DONE.code();
    }
    learned.lanes().lanes().entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.comparing(LaneId::toString)))
        .forEach(
            entry -> {
              var lane = entry.getValue();
              out.println(
                  entry.getKey() + "   learned " + lane.at().truncatedTo(ChronoUnit.SECONDS));
              lane.allowances().forEach(each -> out.println("  " + words(each)));
              if (lane.pace().perSecond() > 0) {
                out.printf(
                    "  calls: felt %.3g a second, %.0f at once%n",
                    lane.pace().perSecond(), lane.pace().burst());
              }
              lane.outputs()
                  .forEach(
                      (kind, size) ->
                          out.printf(
                              "  answers%s: about %,d tokens%n",
                              kind.isEmpty() ? "" : " (" + kind + ")", size));
            });
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
