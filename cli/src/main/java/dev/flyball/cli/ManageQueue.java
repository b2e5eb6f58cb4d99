package dev.flyball.cli;

import dev.flyball.batch.LineAsker;
import dev.flyball.cli.demo.SimulatedAccounts;
import dev.flyball.cli.help.Examples;
import dev.flyball.cli.option.BoundOptions;
import dev.flyball.cli.option.FleetOption;
import dev.flyball.cli.option.HistoryOptions;
import dev.flyball.cli.option.PlanOptions;
import dev.flyball.cli.option.ProviderOptions;
import dev.flyball.cli.option.QueueAddOptions;
import dev.flyball.cli.option.QueueWorkOptions;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.cli.queue.QueueDesk;
import dev.flyball.cli.queue.QueueProgress;
import dev.flyball.cli.queue.QueueSources;
import dev.flyball.cli.queue.QueueTables;
import dev.flyball.cli.review.PullReview;
import dev.flyball.fleet.FleetPlace;
import dev.flyball.fleet.queue.ListedEntry;
import dev.flyball.fleet.queue.NewEntry;
import dev.flyball.fleet.queue.QueueRules;
import dev.flyball.fleet.queue.Shelf;
import dev.flyball.fleet.queue.WorkQueue;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.publish.HostTrouble;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.run.BadInput;
import dev.flyball.run.ExitCode;
import dev.flyball.run.HistoryHandle;
import dev.flyball.run.RunSetup;
import dev.flyball.run.work.WorkScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball queue}: work that waits in a Redis, and those who do it. */
@Command(
    name = "queue",
    sortOptions = false,
    description = {
      "Keeps work in Redis until workers have done it, each piece once, by priority and age: lines"
          + " of batches, reviews of folders and changes, and pull requests. Needs --fleet"
          + " redis://...",
      "add puts work in (the same again adds nothing), work does it, list and stats show it, retry"
          + " makes dead letters ready again, drop takes work out."
    },
    footer = {
      "",
      "Exit codes: 0 done, 1 something became a dead letter, 2 wrong usage, no Redis, or one that"
          + " cannot be used, 3 the queue is full (said with Retry-After), or work ended early."
    })
@Examples({
  "flyball queue add questions.jsonl -o answers.jsonl",
  "flyball queue add --github acme/shop --open",
  "flyball queue work --workers auto",
  "flyball queue list --shelf dead",
  "flyball queue retry --all"
})
final class ManageQueue implements Callable<Integer> {
  private static final Set<String> ACTIONS =
      Set.of("add", "list", "work", "retry", "drop", "stats");

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Parameters(
      index = "0",
      paramLabel = "ACTION",
      description = "add, list, work, retry, drop or stats.")
  private String action;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "WHAT",
      description = "add: IN.jsonl or folders; retry, drop: keys or ids, as `list` shows them.")
  private List<String> what = new ArrayList<>();

  @Mixin private FleetOption fleet;

  @SetBy(Who.USER)
  @Option(
      names = "--queue",
      paramLabel = "NAME",
      defaultValue = WorkQueue.USUAL_NAME,
      description = "One of several queues in the same Redis. Default: ${DEFAULT-VALUE}")
  private String name;

  @SetBy(Who.FLAG)
  @Option(names = "--json", description = "list, stats: print JSON.")
  private boolean json;

  @SetBy(Who.FLAG)
  @Option(
      names = "--shelf",
      paramLabel = "ready|later|claimed|dead",
      description = "list: only these; with --all: those that are meant.")
  private @Nullable String shelf;

  @SetBy(Who.FLAG)
  @Option(
      names = "--first",
      paramLabel = "N",
      defaultValue = "20",
      description = "list: only the first N of a shelf. Default: ${DEFAULT-VALUE}")
  private int first;

  @SetBy(Who.FLAG)
  @Option(
      names = "--all",
      description = "retry, drop: all of a shelf, the dead letters unless --shelf says another.")
  private boolean all;

  @Mixin private QueueAddOptions adding;
  @Mixin private QueueWorkOptions working;

  @SetBy(Who.USER)
  @Option(
      names = "--model",
      paramLabel = "NAME",
      description =
          "add: the model for lines that have only a prompt. work: the model for demanding lenses.")
  private @Nullable String model;

  @Mixin private PlanOptions planning;
  @Mixin private BoundOptions bounds;
  @Mixin private ProviderOptions provider;
  @Mixin private HistoryOptions history;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!ACTIONS.contains(action)) {
      throw wrong("ACTION is add, list, work, retry, drop or stats, not '" + action + "'");
    }
    boolean named = action.equals("add") || action.equals("retry") || action.equals("drop");
    if (!named && !what.isEmpty()) {
      throw wrong(
          "`queue %s` takes no WHAT, but was given '%s'".formatted(action, what.getFirst()));
    }
    if (!(fleet.place() instanceof FleetPlace.AtRedis place)) {
      throw wrong(
          "a queue is kept in a Redis: name one with --fleet redis://host:6379 or FLYBALL_FLEET");
    }
    var rules = working.rules(adding.bound());
    try (var queue = opened(place, rules)) {
      return switch (action) {
        case "add" -> add(queue);
        case "list" -> list(queue);
        case "work" -> work(queue, place);
        case "stats" -> stats(queue);
        default -> move(queue);
      };
    } catch (IllegalArgumentException impossible) {
      throw new ParameterException(
          spec.commandLine(), String.valueOf(impossible.getMessage()), impossible);
    } catch (HostTrouble | BadInput | HistoryUnavailable trouble) {
      return refuse(String.valueOf(trouble.getMessage()));
    }
  }

  private WorkQueue opened(FleetPlace.AtRedis place, QueueRules rules) {
    try {
      return WorkQueue.open(place, name, rules);
    } catch (IOException unusable) {
      throw wrong("--fleet: " + unusable.getMessage());
    } catch (IllegalArgumentException no) {
      throw wrong("--queue: " + no.getMessage());
    }
  }

  private int add(WorkQueue queue) throws IOException, BadInput, HostTrouble, InterruptedException {
    var config = main.config();
    List<NewEntry> entries;
    try (var past =
        HistoryHandle.of(Optional.of(history.place(config.folder(), config.environment())))) {
      entries =
          new QueueSources(
                  adding, config.folder(), config.environment(), Optional.ofNullable(model))
              .entries(what, pull -> PullReview.isReviewed(past, pull));
    }
    var added = queue.add(entries, adding.again());
    var out = spec.commandLine().getOut();
    var parts = new ArrayList<String>();
    parts.add("added %,d".formatted(added.added()));
    part(parts, added.known(), "%,d in the queue already");
    part(parts, added.done(), "%,d done before (--again does them again)");
    part(parts, added.dead(), "%,d are dead letters (`flyball queue retry`)");
    out.println(String.join(", ", parts));
    var err = spec.commandLine().getErr();
    if (added.changed() > 0) {
      err.println(
          "flyball queue: %,d have keys that the queue knows with another content, such as %s: they were not added; drop them first, or give them other ids"
              .formatted(added.changed(), added.changedKey().orElse("")));
      return ExitCode.REFUSED.code();
    }
    if (added.retryAfter().isPresent()) {
      err.println(
          "flyball queue: full: it holds %,d of %,d; %,d were not added. Retry-After: %d (the same command adds the rest)"
              .formatted(
                  added.held(),
                  queue.rules().most(),
                  added.refused(),
                  Math.max(1, added.retryAfter().get().toSeconds())));
      return ExitCode.INCOMPLETE.code();
    }
    return ExitCode.DONE.code();
  }

  private static void part(List<String> parts, long count, String words) {
    if (count > 0) {
      parts.add(words.formatted(count));
    }
  }

  private int list(WorkQueue queue) throws IOException {
    if (first < 1 || first > 10_000) {
      throw wrong("--first: must be 1 to 10,000, not " + first);
    }
    var shelves =
        shelf == null
            ? List.of(Shelf.CLAIMED, Shelf.READY, Shelf.LATER, Shelf.DEAD)
            : List.of(shelf(shelf));
    var entries = new ArrayList<ListedEntry>();
    for (var each : shelves) {
      entries.addAll(queue.look(each, 0, first));
    }
    var out = spec.commandLine().getOut();
    if (json) {
      out.println(AsciiJson.pretty(QueueTables.json(entries)));
    } else if (entries.isEmpty()) {
      out.println("no entries");
    } else {
      QueueTables.lines(entries).forEach(out::println);
    }
    return ExitCode.DONE.code();
  }

  private int stats(WorkQueue queue) throws IOException {
    var figures = queue.figures();
    var out = spec.commandLine().getOut();
    if (json) {
      out.println(AsciiJson.pretty(QueueTables.json(figures)));
    } else {
      QueueTables.lines(figures).forEach(out::println);
    }
    return ExitCode.DONE.code();
  }

  private int move(WorkQueue queue) throws IOException {
    if (all != what.isEmpty()) {
      throw wrong("name keys as `flyball queue list` shows them, or --all");
    }
    boolean retry = action.equals("retry");
    var which = shelf == null ? Shelf.DEAD : shelf(shelf);
    WorkQueue.Moved moved;
    if (all) {
      moved = retry ? queue.retry(which) : queue.drop(which);
    } else {
      moved = retry ? queue.retry(what) : queue.drop(what);
    }
    var parts = new ArrayList<String>();
    parts.add((retry ? "ready again: %,d" : "dropped %,d").formatted(moved.moved()));
    part(parts, moved.busy(), "%,d left alone, because a worker has them");
    part(parts, moved.missing(), "%,d not found");
    spec.commandLine().getOut().println(String.join(", ", parts));
    return moved.missing() > 0 ? ExitCode.REFUSED.code() : ExitCode.DONE.code();
  }

  private int work(WorkQueue queue, FleetPlace.AtRedis place)
      throws IOException, InterruptedException, HistoryUnavailable {
    var config = main.config();
    var settings = planning.settings(Optional.ofNullable(model), bounds.bounds(), false);
    var workers = working.settings(QueueProgress.processName());
    try (var accounts = new SimulatedAccounts();
        var run =
            RunSetup.of(config.environment(), config.files())
                .provider(provider.choice(config.environment(), Main.warnings(spec)))
                .local(accounts)
                .history(Optional.of(history.place(config.folder(), config.environment())))
                .warnings(Main.warnings(spec))
                .fleet(place)
                .budgetScope(bounds.scope())
                .open();
        var scheduler = new WorkScheduler(run, bounds.bounds().tokens(OptionalLong.empty()));
        var progress =
            new QueueProgress(queue, name, run, scheduler, spec.commandLine().getErr())) {
      var asker =
          new LineAsker(
              run, scheduler, bounds.bounds().budgetMoney().isPresent(), progress::record);
      try (var desk =
          new QueueDesk(
              run,
              scheduler,
              asker,
              settings,
              config.rules(),
              roots(config.folder()),
              kind -> adding.place(kind, config.environment()),
              progress::closed)) {
        return progress.run(desk, workers);
      }
    }
  }

  private List<Path> roots(Path here) {
    var roots = working.roots(here);
    for (var root : roots) {
      if (!Files.isDirectory(root)) {
        throw wrong("--allow: there is no folder " + root);
      }
    }
    return roots;
  }

  private Shelf shelf(String said) {
    try {
      return Shelf.of(said);
    } catch (IllegalArgumentException no) {
      throw wrong("--shelf: " + no.getMessage());
    }
  }

  private int refuse(String why) {
    spec.commandLine().getErr().println("flyball queue: " + why);
    return ExitCode.REFUSED.code();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
