package dev.flyball.cli;

import dev.flyball.cli.demo.SimulatedAccounts;
import dev.flyball.cli.help.Examples;
import dev.flyball.cli.option.FleetOption;
import dev.flyball.cli.option.HistoryOptions;
import dev.flyball.cli.option.ProviderOptions;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.screen.HeardSignal;
import dev.flyball.cli.screen.Interrupts;
import dev.flyball.cli.screen.Version;
import dev.flyball.gateway.Gateway;
import dev.flyball.gateway.GatewaySettings;
import dev.flyball.gateway.ServerParts;
import dev.flyball.gateway.admin.AdminApi;
import dev.flyball.gateway.admin.TraceCollector;
import dev.flyball.gateway.admin.TraceExporter;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.task.NamedFolders;
import dev.flyball.gateway.task.ReviewPart;
import dev.flyball.gateway.task.TaskLimit;
import dev.flyball.gateway.task.TaskRules;
import dev.flyball.gateway.task.TaskSettings;
import dev.flyball.gateway.tenant.AdminToken;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.run.BadSettings;
import dev.flyball.run.ExitCode;
import dev.flyball.run.RunSetup;
import dev.flyball.run.config.ConfigFile;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball serve}: the gateway, until Ctrl+C. */
@Command(
    name = "serve",
    sortOptions = false,
    description = {
      "Runs a gateway: clients use its address instead of the provider's, and their requests wait"
          + " for the rate limits instead of failing.",
      "Any client in any language works unchanged; only its base URL changes."
    },
    footer = {
      "",
      "Requests may carry x-flyball-max-wait: 30s and x-flyball-priority: interactive, normal or"
          + " bulk. Replies carry x-flyball-waited-ms, -waited-for, -attempts and -id; /explain/ID"
          + " shows what happened to a call.",
      "Several servers at one Redis (--fleet) share limits; FLYBALL_FLEET_MAX_CONCURRENT_TASKS"
          + " limits the reviews of all of them together.",
      "Exit codes: 0 after Ctrl+C, 2 for wrong usage or configuration.",
      "Ctrl+C or SIGTERM lets requests in flight finish; SIGHUP reloads serve.yaml."
    })
@Examples({
  "flyball serve --provider simulated    no key, no cost",
  "flyball serve                         keys from the environment"
})
final class RunServer implements Callable<Integer> {
  private static final String RULES = "serve.yaml";

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;
  @Mixin private ProviderOptions provider;

  @SetBy(Who.USER)
  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8484",
      description = "Port to listen on; 0 picks a free one. Default: ${DEFAULT-VALUE}")
  private int port;

  @SetBy(Who.USER)
  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "Address to listen on; unless it is this machine's own, clients need keys. Default:"
              + " ${DEFAULT-VALUE}")
  private String host;

  @SetBy(Who.USER)
  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description =
          "Limits, keys and routes. Default: serve.yaml beside your config.yaml, if there is one")
  private @Nullable Path rules;

  @SetBy(Who.USER)
  @Option(
      names = "--repository",
      paramLabel = "NAME=FOLDER",
      description =
          "A repository that clients may have reviewed, under this name; may be repeated. Without"
              + " one, only patches are reviewed.")
  private List<String> repositories = List.of();

  @SetBy(Who.USER)
  @Option(
      names = "--review-queue",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Reviews that may wait while FLYBALL_MAX_CONCURRENT_TASKS (default 10) run. Default:"
              + " ${DEFAULT-VALUE}")
  private int reviewQueue;

  @SetBy(Who.USER)
  @Option(
      names = "--access-log",
      paramLabel = "FILE",
      description = "Append a line of JSON for each finished call; never a key or a body.")
  private @Nullable Path accessLog;

  @Mixin private FleetOption fleet;
  @Mixin private HistoryOptions history;

  @SetBy(Who.USER)
  @Option(
      names = "--no-history",
      description = "Record nothing; then there are no keys and no budgets.")
  private boolean noHistory;

  @Override
  public Integer call() throws IOException {
    if (port < 0 || port > 65_535) {
      throw wrong("--port: must be from 0 to 65535, not " + port);
    }
    var config = main.config();
    try (var accounts = new SimulatedAccounts();
        var setup =
            RunSetup.of(config.environment(), config.files())
                .provider(provider.choice(config.environment(), Main.warnings(spec)))
                .local(accounts)
                .history(place())
                .warnings(Main.warnings(spec))
                .fleet(fleet.place())
                .open();
        var tasks = FleetWideTasks.of(fleet.place(), config.environment())) {
      return serve(setup, tasks);
    } catch (InterruptedException ended) {
      // Whoever runs the command in a thread of theirs ends it so.
      return ExitCode.DONE.code();
    } catch (HistoryUnavailable gone) {
      throw wrong(gone.reason() + " (or go on without keys and budgets: --no-history)");
    } catch (BadSettings wrong) {
      throw wrong(String.valueOf(wrong.getMessage()));
    }
  }

  /** The review server; its limit and its folders are refused before anything listens. */
  private ReviewPart reviews(GatewayPart.Ground ground, FleetWideTasks tasks) {
    var named = new LinkedHashMap<String, Path>();
    for (var each : repositories) {
      int sign = each.indexOf('=');
      if (sign < 1 || sign == each.length() - 1) {
        throw new BadSettings("--repository: write NAME=FOLDER, not " + each);
      }
      named.put(each.substring(0, sign), main.config().folder().resolve(each.substring(sign + 1)));
    }
    var usual =
        TaskSettings.USUAL
            .room(new TaskSettings.Room(TaskLimit.USUAL, reviewQueue, OptionalInt.empty()))
            .repositories(NamedFolders.of(named));
    return ReviewPart.on(
        ground,
        new ReviewPart.Needs(
            new TaskRules(settings().rules(), main.config().environment(), usual),
            main.config().rules(),
            tasks.slots(),
            Version.number()));
  }

  private GatewaySettings settings() {
    var settings = GatewaySettings.USUAL.port(port).host(host);
    if (rules != null) {
      var file = main.config().folder().resolve(rules);
      if (!Files.exists(file)) {
        throw wrong("--rules: there is no file " + rules);
      }
      return settings.rules(file);
    }
    return ConfigFile.place(main.config().environment())
        .map(config -> settings.rules(config.resolveSibling(RULES)))
        .orElse(settings);
  }

  private Optional<HistoryLocation> place() throws IOException {
    return noHistory
        ? Optional.empty()
        : Optional.of(history.place(main.config().folder(), main.config().environment()));
  }

  private Optional<Writer> log() throws IOException {
    return accessLog == null
        ? Optional.empty()
        : Optional.of(
            Files.newBufferedWriter(
                main.config().folder().resolve(accessLog),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND));
  }

  private AdminToken token() {
    try {
      return AdminToken.of(main.config().environment(), new SecureRandom());
    } catch (IllegalArgumentException weak) {
      throw wrong(String.valueOf(weak.getMessage()));
    }
  }

  /** What administrators may do to this process. */
  private record Orders(CountDownLatch end, AtomicReference<@Nullable Gateway> gateway)
      implements AdminApi.Server {
    @Override
    public void drain() {
      end.countDown();
    }

    @Override
    public Optional<String> reload() {
      var running = gateway.get();
      return running == null ? Optional.of("the server has not begun yet") : running.reload();
    }
  }

  private int serve(RunSetup setup, FleetWideTasks tasks)
      throws IOException, InterruptedException, HistoryUnavailable {
    var out = spec.commandLine().getOut();
    var err = spec.commandLine().getErr();
    var end = new CountDownLatch(1);
    var running = new AtomicReference<@Nullable Gateway>();
    var reviews = new AtomicReference<@Nullable ReviewPart>();
    var token = token();
    boolean simulated = setup.providers().simulated();
    var parts =
        new ServerParts(
            settings(),
            setup.history().write(),
            simulated ? AnswerOrigin.SIMULATED : AnswerOrigin.REAL,
            token,
            log(),
            new Orders(end, running),
            () -> Optional.ofNullable(reviews.get()).map(ReviewPart::counts),
            Main.warnings(spec));
    var makers = new ArrayList<>(parts.makers());
    TraceCollector.of(main.config().environment())
        .ifPresent(to -> makers.add(ground -> new TraceExporter(ground, to, Main.warnings(spec))));
    makers.add(
        ground -> {
          var part = reviews(ground, tasks);
          reviews.set(part);
          return part;
        });
    try (var gateway = Gateway.start(settings(), setup, makers)) {
      var interrupts = new Interrupts(end::countDown, end::countDown, () -> {});
      var again =
          HeardSignal.of(
              "HUP",
              () ->
                  gateway
                      .reload()
                      .ifPresentOrElse(
                          why -> err.println("flyball serve: nothing was changed: " + why),
                          () -> out.println("read the rules again")));
      try {
        running.set(gateway);
        out.println("listening on " + gateway.uri());
        out.println("  ANTHROPIC_BASE_URL=" + gateway.uri());
        out.println("  OPENAI_BASE_URL=" + gateway.uri() + "/v1");
        out.println(
            "try: curl %s/v1/chat/completions%s -H 'content-type: application/json' -d '{\"model\":\"gpt-5.4\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}'"
                .formatted(
                    gateway.uri(),
                    settings().isLoopback() ? "" : " -H 'authorization: Bearer flyball_...'"));
        out.println(
            "dashboard: "
                + gateway.uri()
                + (token.isGiven()
                    ? "/ (its token is in " + AdminToken.VARIABLE + ")"
                    : "/#token=" + token.text()));
        out.flush();
        end.await();
        int waiting = gateway.inFlight();
        if (waiting > 0) {
          out.println(
              "ending: %,d requests are not over yet; Ctrl+C again ends them".formatted(waiting));
        }
        int left = gateway.drain();
        if (left > 0) {
          err.println("flyball serve: %,d requests had not ended in time".formatted(left));
        }
      } finally {
        again.ifPresent(HeardSignal::close);
        interrupts.close();
      }
    }
    return ExitCode.DONE.code();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
