package dev.flyball.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.joining;

import dev.flyball.cli.help.Examples;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.run.ExitCode;
import dev.flyball.run.file.RunningSimulators;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.provider.Stats;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Change;
import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Profiles;
import dev.flyball.simulator.setting.ProviderStyle;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball simulate}: a provider on this machine, until Ctrl+C. */
@Command(
    name = "simulate",
    sortOptions = false,
    description = {
      "Runs a model provider on this machine, with real rate limits, real headers and faults on"
          + " request.",
      "It speaks Anthropic's Messages API and OpenAI's Chat Completions, Responses and Embeddings;"
          + " any key works, unless it begins with `invalid`."
    },
    footer = {
      "",
      "While it runs:",
      "  GET  /__sim/stats, state, clock    numbers, what is left, what time it is",
      "  GET  /__sim/ledger                 what was admitted and charged, line by line",
      "  PUT  /__sim/config                 a JSON object of the options above, no files",
      "  POST /__sim/reset                  start again",
      "  GET  /v1/organizations/rate_limits with a key that begins with sk-ant-admin",
      "",
      "Exit codes: 0 after Ctrl+C, or 2 for wrong usage."
    })
@Examples({
  "flyball simulate",
  "flyball simulate --limit requests=600/min --burst requests=10 --latency 200ms",
  "flyball simulate --fault 529:share=0.5,from=10s,to=20s     half of the answers are overloads"
})
final class Simulate implements Callable<Integer> {
  /** The names of all profiles, for the help. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Profiles.names().iterator();
    }
  }

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @SetBy(Who.USER)
  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8089",
      description = "Port on 127.0.0.1; 0 is any free port. Default: ${DEFAULT-VALUE}")
  private int port;

  @SetBy(Who.USER)
  @Option(
      names = "--profile",
      paramLabel = "P",
      defaultValue = "anthropic-tier1",
      completionCandidates = Names.class,
      description = "The account to simulate: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
  private String profile;

  @SetBy(Who.USER)
  @Option(
      names = "--limit",
      paramLabel = "D=N/PERIOD",
      description =
          "Replace a limit of the profile, as in requests=600/min; D is requests, input, output"
              + " or tokens, PERIOD sec, min, hour or day. in-flight=N has no period.")
  private List<String> limits = new ArrayList<>();

  @SetBy(Who.USER)
  @Option(
      names = "--burst",
      paramLabel = "D=N",
      description = "How much of a limit can be used at once. Default: a whole period's")
  private List<String> bursts = new ArrayList<>();

  @SetBy(Who.USER)
  @Option(
      names = "--latency",
      paramLabel = "TIME",
      description =
          "FIRST[+PER_TOKEN][~SPREAD]: until the first token, between tokens, and how much the"
              + " first varies, as in 800ms+12ms~0.3. Default: the profile's")
  private @Nullable String latency;

  @SetBy(Who.USER)
  @Option(
      names = "--headers",
      paramLabel = "MODE[,BUG...]",
      description =
          "Which rate-limit headers are sent: full, limits, retry-after or none; and what is wrong"
              + " with them: wrong-burst, missing, stale, out-of-order, negative, past-reset,"
              + " http-date, day, fraction, zero, duplicate, mixed-case.")
  private @Nullable String headers;

  @SetBy(Who.USER)
  @Option(
      names = "--fault",
      paramLabel = "KIND[:X=Y,...]",
      description =
          "Inject a fault: a status (400 to 599), daily, spend-cap, too-large,"
              + " slow-down, hang, slow, stall, cut, error-event, truncated, malformed, html,"
              + " content-type, empty, keep-alive, gzip, double-end, no-usage, huge-usage, refusal,"
              + " filtered, outage."
              + " Which calls: share, attempts (the first N of a call), nth, key, model, id,"
              + " from, to. How: after (events or bytes), delay, retry-after, should-retry.")
  private List<String> faults = new ArrayList<>();

  @SetBy(Who.USER)
  @Option(
      names = "--answers",
      paramLabel = "echo|lorem|review|FILE",
      defaultValue = "echo",
      description =
          "Where answers come from. A FILE has JSON objects, each with an `answer` and an `id` (of"
              + " the header x-client-request-id), a `pattern` (of the prompt) or a `system` (of"
              + " what is said before it). Default: ${DEFAULT-VALUE}")
  private String answers;

  @SetBy(Who.USER)
  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Same seed, same random behaviour. Default: ${DEFAULT-VALUE}")
  private long seed;

  @SetBy(Who.USER)
  @Option(
      names = "--speed",
      paramLabel = "S",
      defaultValue = "1",
      description =
          "Run its clock S times as fast, from 1 to 200: limits refill and answers arrive S times"
              + " as fast. Default: ${DEFAULT-VALUE}")
  private int speed;

  @SetBy(Who.USER)
  @Option(
      names = "--keys-share-org",
      description = "All keys share the limits of one organisation.")
  private boolean keysShareOrganization;

  @SetBy(Who.USER)
  @Option(
      names = "--foreign",
      paramLabel = "SHARE",
      defaultValue = "0",
      description =
          "Share of every limit that somebody else uses, such as 0.4. Default: ${DEFAULT-VALUE}")
  private double foreign;

  @SetBy(Who.USER)
  @Option(
      names = "--change",
      paramLabel = "TIME:LIMIT",
      description = "Change a limit while it runs, as in 30s:requests=300/min.")
  private List<String> changes = new ArrayList<>();

  @SetBy(Who.USER)
  @Option(
      names = "--spend-cap",
      paramLabel = "USD",
      description = "Spend cap of the organisation. Default: the profile's")
  private @Nullable Double spendCap;

  @SetBy(Who.USER)
  @Option(
      names = "--acceleration",
      paramLabel = "TOKENS",
      description =
          "Above this many tokens per minute, usage may grow by at most 50 %% in 15 minutes.")
  private @Nullable Long acceleration;

  @SetBy(Who.USER)
  @Option(
      names = "--ledger",
      paramLabel = "LINES",
      defaultValue = "200000",
      description = "Lines kept in the ledger. Default: ${DEFAULT-VALUE}")
  private int ledger;

  @Override
  public Integer call() {
    Settings settings = settings();
    check("--port", port >= 0 && port <= 65_535, "must be from 0 to 65535, not " + port);
    try (Simulator simulator = Simulator.start(settings, port)) {
      PrintWriter out = spec.commandLine().getOut();
      out.println("listening on " + simulator.uri());
      String pace = speed == 1 ? "" : ", " + speed + " times as fast";
      out.println("try: " + example(settings, simulator.uri().toString()));
      out.println(
          "profile " + profile + ", figures of " + Profiles.date() + pace + "; Ctrl+C ends it");
      watch(simulator, announced(simulator), out, main.config().environment());
      return ExitCode.DONE.code();
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(),
          "port %d is taken or not allowed: choose another with --port, or 0 for any that is free"
              .formatted(port),
          e);
    }
  }

  /** A request that this account answers, to be pasted. */
  private static String example(Settings settings, String address) {
    var profile = settings.profile();
    boolean messages = profile.style() == ProviderStyle.ANTHROPIC;
    return "curl %s%s -H 'content-type: application/json' -H '%s' -d '%s'"
        .formatted(
            address,
            messages ? "/v1/messages" : "/v1/chat/completions",
            messages
                ? "x-api-key: any' -H 'anthropic-version: 2023-06-01"
                : "authorization: Bearer any",
            "{\"model\":\"%s\",\"max_tokens\":50,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"
                .formatted(messages ? "claude-sonnet-5" : "gpt-5.4"));
  }

  private Settings settings() {
    Settings[] made = {Settings.of("unlimited")};
    set("--profile", profile, text -> made[0] = Settings.of(text));
    Settings settings = made[0];
    limits.forEach(text -> set("--limit", text, settings::limit));
    bursts.forEach(text -> set("--burst", text, settings::burst));
    faults.forEach(text -> set("--fault", text, settings::fault));
    changes.forEach(text -> set("--change", text, each -> settings.change(Change.parse(each))));
    set("--latency", latency, text -> settings.latency(Latency.parse(text)));
    set("--headers", headers, text -> settings.headers(Headers.parse(text)));
    set("--answers", answers, text -> settings.answers(Answers.parse(text)));
    set("--foreign", foreign, settings::foreign);
    set("--ledger", ledger, settings::ledger);
    set("--speed", speed, settings::speed);
    set("--spend-cap", spendCap, settings::spendCap);
    set("--acceleration", acceleration, floor -> settings.acceleration(floor, 1.5));
    set("--change", settings, Settings::checked);
    return settings.seed(seed).keysShareOrganization(keysShareOrganization);
  }

  private void check(String option, boolean holds, String rule) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), option + ": " + rule);
    }
  }

  private <T> void set(String option, @Nullable T value, Consumer<T> setting) {
    try {
      if (value != null) {
        setting.accept(value);
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
  }

  /** One line that is written over on a terminal, and a line when something is new elsewhere. */
  private static void watch(
      Simulator simulator,
      Optional<RunningSimulators> running,
      PrintWriter out,
      Map<String, String> environment) {
    boolean terminal = Terminal.of(out, environment).isLive();
    CountDownLatch ended = new CountDownLatch(1);
    Thread end =
        new Thread(
            () -> {
              var last = line(simulator.stats());
              out.println(terminal ? Terminal.wiped(last) : last);
              ended(simulator, running);
              simulator.close();
              out.flush();
              // Ctrl+C is how it ends, so that is no failure.
              Runtime.getRuntime().halt(ExitCode.DONE.code());
            });
    Runtime.getRuntime().addShutdownHook(end);
    try {
      String before = line(simulator.stats());
      while (!ended.await(terminal ? 1 : 5, SECONDS)) {
        String now = line(simulator.stats());
        if (terminal) {
          out.print(Terminal.over(now));
          out.flush();
        } else if (!now.equals(before)) {
          out.println(now);
        }
        before = now;
      }
    } catch (InterruptedException e) {
      // Whoever runs the command in a thread of theirs ends it so.
      Runtime.getRuntime().removeShutdownHook(end);
      ended(simulator, running);
      out.println(line(simulator.stats()));
    }
  }

  /** What is asked here is booked as simulated by whoever can see that it runs. */
  private Optional<RunningSimulators> announced(Simulator simulator) {
    try {
      var running = RunningSimulators.of(main.config().environment());
      running.begun(simulator.uri().getPort());
      return Optional.of(running);
    } catch (IOException unkept) {
      spec.commandLine()
          .getErr()
          .println("flyball simulate: usage will count its calls as real: " + unkept.getMessage());
      return Optional.empty();
    }
  }

  private static void ended(Simulator simulator, Optional<RunningSimulators> running) {
    try {
      if (running.isPresent()) {
        running.get().ended(simulator.uri().getPort());
      }
    } catch (IOException kept) {
      // What is left names a process that is gone, and nobody believes it.
      return;
    }
  }

  private static String line(Stats stats) {
    return "%,d request%s%s, %,d answered, %,d in flight, %,d rate-limited (429)%s%s, %,d tokens in, %,d out"
        .formatted(
            stats.requests(),
            stats.requests() == 1 ? "" : "s",
            stats.invalid() == 0 ? "" : " (%,d more invalid)".formatted(stats.invalid()),
            stats.answered(),
            stats.inFlight(),
            stats.throttled(),
            parts(stats.rejected()),
            stats.faults().isEmpty() ? "" : ", faults" + parts(stats.faults()),
            stats.inputTokens() + stats.cacheReadTokens() + stats.cacheWrittenTokens(),
            stats.outputTokens());
  }

  private static String parts(Map<String, Long> counts) {
    return counts.isEmpty()
        ? ""
        : counts.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(joining(", ", " (", ")"));
  }
}
