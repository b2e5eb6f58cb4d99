package dev.flyball.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.Cost;
import dev.flyball.cli.help.Examples;
import dev.flyball.cli.option.HistoryOptions;
import dev.flyball.cli.option.SetBy;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.gateway.tenant.TenantKeys;
import dev.flyball.gateway.tenant.TenantStanding;
import dev.flyball.history.History;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.history.record.TenantTerms;
import dev.flyball.history.record.TenantTerms.Ceiling;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.run.ExitCode;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

/** {@code flyball keys}: who may use the gateway, and how much. */
@Command(
    name = "keys",
    sortOptions = false,
    description = {
      "Creates, lists and revokes the keys of a shared gateway (`flyball serve`).",
      "A key is shown once, when it is created; only its hash is stored. A running server with the"
          + " same history picks up changes within seconds. Days and months are in UTC."
    },
    footer = {"", "Exit codes: 0, or 2 for wrong usage or an unknown tenant."})
@Examples({
  "flyball keys add alice --weight 2 --day-usd 5",
  "flyball keys list",
  "flyball keys revoke alice"
})
final class ManageKeys implements Callable<Integer> {
  private static final Set<String> SHARED = Set.of("--history", "--json", "--help", "--version");

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;
  @Mixin private HistoryOptions history;

  @Parameters(index = "0", paramLabel = "ACTION", description = "add, list or revoke.")
  private String action;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NAME",
      description = "The tenant: a team, a person or a program.")
  private @Nullable String name;

  @SetBy(Who.FLAG)
  @Option(
      names = "--weight",
      paramLabel = "W",
      defaultValue = "1",
      description = "Share while others are waiting too: 2 gets twice as much as 1. Default: 1")
  private double weight;

  @SetBy(Who.FLAG)
  @Option(
      names = "--priority",
      paramLabel = "P",
      defaultValue = "normal",
      description = "interactive, normal or bulk, unless a request says otherwise. Default: normal")
  private String priority;

  @SetBy(Who.FLAG)
  @Option(
      names = "--models",
      paramLabel = "NAMES",
      split = ",",
      description = "The models it may use, such as claude-*,gpt-5-mini. Default: all")
  private List<String> models = List.of();

  @SetBy(Who.FLAG)
  @Option(
      names = "--requests-per-minute",
      paramLabel = "N",
      description = "Requests per minute, at most.")
  private @Nullable Long requests;

  @SetBy(Who.FLAG)
  @Option(
      names = "--tokens-per-minute",
      paramLabel = "N",
      description = "Tokens per minute, at most.")
  private @Nullable Long tokens;

  @SetBy(Who.FLAG)
  @Option(names = "--in-flight", paramLabel = "N", description = "Requests in flight, at most.")
  private @Nullable Long inFlight;

  @SetBy(Who.FLAG)
  @Option(names = "--day-usd", paramLabel = "AMOUNT", description = "Budget per day, in dollars.")
  private @Nullable String dayUsd;

  @SetBy(Who.FLAG)
  @Option(names = "--day-tokens", paramLabel = "N", description = "Budget per day, in tokens.")
  private @Nullable Long dayTokens;

  @SetBy(Who.FLAG)
  @Option(
      names = "--month-usd",
      paramLabel = "AMOUNT",
      description = "Budget per month, in dollars.")
  private @Nullable String monthUsd;

  @SetBy(Who.FLAG)
  @Option(names = "--month-tokens", paramLabel = "N", description = "Budget per month, in tokens.")
  private @Nullable Long monthTokens;

  @SetBy(Who.FLAG)
  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!Set.of("add", "list", "revoke").contains(action)) {
      throw wrong("ACTION is add, list or revoke, not '" + action + "'");
    }
    if (action.equals("list") == (name != null)) {
      throw wrong(
          name == null
              ? "NAME is missing, as in: flyball keys " + action + " alice"
              : "`keys list` shows all and takes no NAME");
    }
    if (!action.equals("add")) {
      for (var each : spec.commandLine().getParseResult().matchedOptions()) {
        if (!SHARED.contains(each.longestName())) {
          throw wrong(each.longestName() + " is for `keys add`, not for `keys " + action + "`");
        }
      }
    }
    var terms = terms();
    var place = history.place(main.config().folder(), main.config().environment());
    try (var opened = History.open(place, Time.system()::wall)) {
      var keys = new TenantKeys(opened, Time.system()::wall);
      return switch (action) {
        case "add" -> add(keys, String.valueOf(name), terms);
        case "revoke" -> revoke(keys, String.valueOf(name));
        default -> list(keys);
      };
    } catch (HistoryUnavailable unavailable) {
      return refuse(unavailable.reason());
    } catch (IllegalArgumentException impossible) {
      throw wrong(String.valueOf(impossible.getMessage()));
    }
  }

  private TenantTerms terms() {
    try {
      return new TenantTerms(
          weight,
          priority.toLowerCase(Locale.ROOT),
          maybe(requests),
          maybe(tokens),
          maybe(inFlight),
          new Ceiling(maybe(dayTokens), dollars("--day-usd", dayUsd)),
          new Ceiling(maybe(monthTokens), dollars("--month-usd", monthUsd)));
    } catch (IllegalArgumentException impossible) {
      throw wrong(String.valueOf(impossible.getMessage()));
    }
  }

  private static OptionalLong maybe(@Nullable Long value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  private Optional<Cost> dollars(String option, @Nullable String amount) {
    if (amount == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Cost.dollars(amount));
    } catch (ArithmeticException | IllegalArgumentException no) {
      throw wrong(option + ": an amount is in dollars, such as 2.50, not '" + amount + "'");
    }
  }

  private int add(TenantKeys keys, String tenant, TenantTerms terms)
      throws HistoryUnavailable, InterruptedException {
    var made = keys.add(tenant, terms, models);
    if (made.isEmpty()) {
      return refuse(
          tenant
              + " has a key already; to change its limits, revoke it first: flyball keys revoke "
              + tenant
              + " (its spending so far is kept)");
    }
    var out = spec.commandLine().getOut();
    var key = made.get();
    if (json) {
      var node = JsonNodeFactory.instance.objectNode().put("tenant", tenant);
      out.println(AsciiJson.pretty(node.put("key", key.text())));
      return ExitCode.DONE.code();
    }
    out.println(key.text());
    spec.commandLine()
        .getErr()
        .println(
            "flyball keys: this is the key of "
                + tenant
                + "; it is shown only this once. Clients send it instead of the provider's key.");
    return ExitCode.DONE.code();
  }

  private int revoke(TenantKeys keys, String tenant)
      throws HistoryUnavailable, InterruptedException {
    if (!keys.revoke(tenant)) {
      return refuse("there is no key for " + tenant + "; see: flyball keys list");
    }
    spec.commandLine().getOut().println("revoked the key of " + tenant);
    return ExitCode.DONE.code();
  }

  private int list(TenantKeys keys) throws HistoryUnavailable {
    var all = keys.all();
    var out = spec.commandLine().getOut();
    if (json) {
      var nodes = JsonNodeFactory.instance.arrayNode();
      all.forEach(each -> nodes.add(node(each)));
      out.println(AsciiJson.pretty(nodes));
      return ExitCode.DONE.code();
    }
    if (all.isEmpty()) {
      spec.commandLine()
          .getErr()
          .println("flyball keys: there are no keys yet; create one: flyball keys add NAME");
      return ExitCode.DONE.code();
    }
    var rows = new ArrayList<List<String>>();
    for (var each : all) {
      var terms = each.key().terms();
      rows.add(
          List.of(
              each.name(),
              each.key().hint() + "...",
              each.key().revoked().isPresent() ? "revoked" : "active",
              String.format(Locale.ROOT, "%.6g", terms.weight()).replaceFirst("\\.?0+$", ""),
              terms.priority(),
              budgets(each)));
    }
    table(rows).forEach(out::println);
    return ExitCode.DONE.code();
  }

  private static List<String> table(List<List<String>> rows) {
    var all = new ArrayList<List<String>>();
    all.add(List.of("Tenant", "Key", "State", "Weight", "Priority", "Spent"));
    all.addAll(rows);
    int columns = all.getFirst().size();
    var widths = new int[columns];
    all.forEach(
        row -> {
          for (int i = 0; i < columns; i++) {
            widths[i] = Math.max(widths[i], row.get(i).length());
          }
        });
    return all.stream()
        .map(
            row -> {
              var line = new StringBuilder();
              for (int i = 0; i < columns; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
              }
              return line.toString().stripTrailing();
            })
        .toList();
  }

  private static String budgets(TenantStanding standing) {
    var parts = new ArrayList<String>();
    for (var each : standing.budgets()) {
      boolean money = each.unit().equals("dollars");
      var amounts =
          money
              ? new Cost(each.spent()).shown() + " of " + new Cost(each.limit()).shown()
              : "%,d of %,d tokens".formatted(each.spent(), each.limit());
      parts.add(amounts + (each.period().equals("day") ? " today" : " this month"));
    }
    return parts.isEmpty() ? "no budget" : String.join(", ", parts);
  }

  private static ObjectNode node(TenantStanding standing) {
    var key = standing.key();
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put("tenant", standing.name())
            .put("hint", key.hint())
            .put("weight", key.terms().weight())
            .put("priority", key.terms().priority())
            .put("created", key.created().toString());
    key.revoked().ifPresent(at -> node.put("revoked", at.toString()));
    var names = node.putArray("models");
    key.models().forEach(names::add);
    var budgets = node.putArray("budgets");
    for (var each : standing.budgets()) {
      boolean money = each.unit().equals("dollars");
      var budget = budgets.addObject().put("unit", each.unit()).put("period", each.period());
      if (money) {
        budget
            .put("spent", new Cost(each.spent()).decimal())
            .put("limit", new Cost(each.limit()).decimal());
      } else {
        budget.put("spent", each.spent()).put("limit", each.limit());
      }
    }
    return node;
  }

  private int refuse(String why) {
    spec.commandLine().getErr().println("flyball keys: " + why);
    return ExitCode.REFUSED.code();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
