package dev.flyball.cli;

import dev.flyball.cli.help.Examples;
import dev.flyball.cli.option.HistoryOptions;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.screen.Interrupts;
import dev.flyball.gateway.HistoryPage;
import dev.flyball.gateway.tenant.AdminToken;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.run.ExitCode;
import dev.flyball.run.RunSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball dashboard}: the page of a history, until Ctrl+C. */
@Command(
    name = "dashboard",
    sortOptions = false,
    description = {
      "Serves a read-only web page of past runs: usage and cost over time, calls, and reviews with"
          + " their findings.",
      "It listens on this machine only. A running gateway has a live page of its own."
    },
    footer = {"", "Exit codes: 0 after Ctrl+C, or 2 for wrong usage."})
@Examples({"flyball dashboard", "flyball dashboard --simulated"})
final class ShowDashboard implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private Main main;
  @Mixin private HistoryOptions history;

  @SetBy(Who.USER)
  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8485",
      description = "Port to listen on; 0 picks a free one. Default: ${DEFAULT-VALUE}")
  private int port;

  @SetBy(Who.USER)
  @Option(names = "--simulated", description = "Show simulated runs instead of real ones.")
  private boolean simulated;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (port < 0 || port > 65_535) {
      throw wrong("--port: must be from 0 to 65535, not " + port);
    }
    var config = main.config();
    var place = history.place(config.folder(), config.environment());
    if (place instanceof HistoryLocation.File(Path path) && !Files.exists(path)) {
      spec.commandLine()
          .getErr()
          .println("flyball dashboard: no history yet in " + path + ": the first run creates it");
      return ExitCode.REFUSED.code();
    }
    AdminToken token;
    try {
      token = AdminToken.of(config.environment(), new SecureRandom());
    } catch (IllegalArgumentException weak) {
      throw wrong(String.valueOf(weak.getMessage()));
    }
    try (var setup =
        RunSetup.of(config.environment(), config.files())
            .history(Optional.of(place))
            .warnings(Main.warnings(spec))
            .sendsNothing()
            .open()) {
      return show(setup, place, token);
    } catch (HistoryUnavailable unavailable) {
      spec.commandLine().getErr().println("flyball dashboard: " + unavailable.reason());
      return ExitCode.REFUSED.code();
    }
  }

  private int show(RunSetup setup, HistoryLocation place, AdminToken token)
      throws IOException, InterruptedException, HistoryUnavailable {
    var out = spec.commandLine().getOut();
    var end = new CountDownLatch(1);
    var origin = simulated ? AnswerOrigin.SIMULATED : AnswerOrigin.REAL;
    var opened = setup.history().read().orElseThrow();
    try (var page = HistoryPage.open(port, setup, opened, origin, place.toString(), token)) {
      var interrupts =
          new Interrupts(end::countDown, end::countDown, () -> out.println("ended at once"));
      try {
        out.println(page.uri());
        out.println("Shows " + place + ". Ctrl+C ends it.");
        out.flush();
        end.await();
      } catch (InterruptedException ended) {
        // Whoever runs the command in a thread of theirs ends it so.
      } finally {
        interrupts.close();
      }
    }
    return ExitCode.DONE.code();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
