package dev.flyball.cli;

import dev.flyball.cli.help.Examples;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.review.PullReview;
import dev.flyball.cli.review.ReviewOutputs;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.publish.Discussion;
import dev.flyball.publish.HostPlace;
import dev.flyball.publish.PullRequests;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.report.StoredReview;
import dev.flyball.review.run.StoredRuns;
import dev.flyball.run.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball report}: a review that was run, written again or posted, without a model. */
@Command(
    name = "report",
    sortOptions = false,
    description = {
      "Writes the report of an earlier review again, in any format, or posts it. No model is asked."
    },
    footer = {
      "",
      "Exit codes: 0 written or posted, 2 no such run or wrong usage, 3 not posted.",
      "The last hundred runs are kept in the state folder."
    })
@Examples({
  "flyball report",
  "flyball report last --format html=review.html",
  "flyball report 20261118-200007-3f2a90c1 --post",
  "flyball report --list"
})
final class ShowReport implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Parameters(
      paramLabel = "RUN",
      arity = "0..1",
      defaultValue = StoredRuns.LAST,
      description = "The id of the run, or `last`. Default: ${DEFAULT-VALUE}")
  private String run;

  @SetBy(Who.FLAG)
  @Option(names = "--list", description = "List the runs that are kept, the latest first.")
  private boolean list;

  @SetBy(Who.FLAG)
  @Option(names = "--format", paramLabel = "NAME[=FILE]", description = ReviewOutputs.NAMES)
  private List<String> formats = new ArrayList<>();

  @SetBy(Who.FLAG)
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to this file.")
  private @Nullable String output;

  @SetBy(Who.USER)
  @Option(
      names = "--fail-on",
      paramLabel = "critical|major|minor|none",
      defaultValue = "critical",
      description = "What fails in a JUnit report. Default: ${DEFAULT-VALUE}")
  private String failOn;

  @SetBy(Who.FLAG)
  @Option(names = "--post", description = "Post it on its pull request.")
  private boolean post;

  @SetBy(Who.USER)
  @Option(
      names = "--approve",
      description = "With --post: approve, if the verdict is `approved` and nothing was left out.")
  private boolean approve;

  @SetBy(Who.USER)
  @Option(
      names = "--host-url",
      paramLabel = "URL",
      description = "Address of your own GitHub Enterprise or GitLab server.")
  private @Nullable String hostUrl;

  @Override
  public Integer call() throws IOException, InterruptedException {
    var line = spec.commandLine();
    var environment = main.config().environment();
    var runs = StoredRuns.of(environment);
    if (list) {
      for (var id : runs.names()) {
        runs.find(id)
            .ifPresent(
                it ->
                    line.getOut()
                        .println(
                            "%s  %s  %s"
                                .formatted(
                                    id, it.review().verdict().words(), SafeText.line(it.title()))));
      }
      return ExitCode.DONE.code();
    }
    try {
      var outputs = ReviewOutputs.of(formats, Optional.ofNullable(output), main.config().folder());
      var gate = Gate.of(failOn);
      var stored = runs.find(run);
      if (stored.isEmpty()) {
        line.getErr()
            .println(
                "flyball report: there is no run %s; `flyball report --list` shows those that are kept"
                    .formatted(SafeText.line(run)));
        return ExitCode.REFUSED.code();
      }
      if (!post || !formats.isEmpty() || output != null) {
        outputs.write(
            stored.get(),
            gate,
            stored.get().read(),
            line.getOut(),
            Terminal.of(line.getOut(), environment));
      }
      return post ? post(stored.get()) : ExitCode.DONE.code();
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(line, String.valueOf(wrong.getMessage()), wrong);
    }
  }

  private int post(StoredReview stored) throws InterruptedException {
    var environment = main.config().environment();
    var where = Discussion.of(stored.discussion());
    if (where.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--post: run %s did not review a pull request, so there is nowhere to post it"
              .formatted(stored.run()));
    }
    var place = HostPlace.of(where.get().name().kind(), Optional.ofNullable(hostUrl), environment);
    try (var door = PullRequests.at(place, environment)) {
      return PullReview.post(
              door,
              stored,
              approve,
              ExitCode.DONE,
              false,
              environment,
              spec.commandLine().getOut(),
              spec.commandLine().getErr())
          .code();
    }
  }
}
