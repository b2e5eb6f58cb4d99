package dev.flyball.batch;

import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.run.BadInput;
import dev.flyball.run.CostMeter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What is to be asked: the index of the input, the routes that its lines take, and what earlier
 * runs have done of it.
 */
final class BatchPlan implements AutoCloseable {
  private final BatchSettings settings;
  private final ProviderCatalogue catalogue;
  private final CostMeter bill;
  private final Instant now;
  private final Set<String> unpriced = new LinkedHashSet<>();
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final List<Route> routes = new ArrayList<>();
  private final InputCheck check;
  private @Nullable LineIndex index;
  private LongPredicate isOpen = id -> true;
  private long total;
  private long answered;
  private long failed;

  private BatchPlan(
      BatchSettings settings, ProviderCatalogue catalogue, CostMeter bill, Instant now) {
    this.settings = settings;
    this.catalogue = catalogue;
    this.bill = bill;
    this.now = now;
    this.check =
        new InputCheck(settings.plain(), this::route, settings.first(), settings.skipInvalid());
  }

  /** Reads the input, compares it with the last time, and opens a cursor for each route. */
  static BatchPlan read(
      BatchSettings settings,
      ProviderCatalogue catalogue,
      CostMeter bill,
      Instant now,
      FileChannel input,
      IdHashes finished)
      throws IOException, BadInput {
    var plan = new BatchPlan(settings, catalogue, bill, now);
    plan.index(input, finished);
    plan.open(finished);
    return plan;
  }

  private void index(FileChannel input, IdHashes finished) throws IOException, BadInput {
    var fresh = settings.beside(".index.new");
    try (var made = LineIndex.create(fresh)) {
      check.run(input, made);
      refuseUnpriced();
      try (var old = LineIndex.open(settings.index()).orElse(null)) {
        if (old != null) {
          new ChangedLines(old, made).refuse(finished, settings);
        }
      }
    } catch (IOException | BadInput wrong) {
      Files.deleteIfExists(fresh);
      throw wrong;
    }
    Files.move(
        fresh,
        settings.index(),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
  }

  private void open(IdHashes finished) throws IOException {
    var whole = LineIndex.open(settings.index()).orElseThrow();
    index = whole;
    var failures =
        settings.keepErrors() ? FailureFile.earlier(settings.errors()) : new IdHashes().sorted();
    var dropped = check.dropped();
    var scan = whole.scan();
    for (var next = scan.next(); next.isPresent(); next = scan.next()) {
      if (!dropped.contains(next.get().number())) {
        total++;
        answered += finished.contains(next.get().id()) ? 1 : 0;
        failed += failures.contains(next.get().id()) ? 1 : 0;
      }
    }
    isOpen = id -> !finished.contains(id) && !failures.contains(id);
    for (int i = 0; i < routes.size(); i++) {
      routes.get(i).open(cursor(i));
    }
  }

  /** The open lines of a route, from the first. */
  LineIndex.Cursor cursor(int route) throws IOException {
    var all =
        settings.order() == BatchSettings.Order.FIFO
            ? index().fifo(route, isOpen)
            : index().longestFirst(route, isOpen);
    return without(all, check.dropped());
  }

  private static LineIndex.Cursor without(LineIndex.Cursor all, Set<Integer> dropped) {
    return () -> {
      for (var next = all.next(); ; next = all.next()) {
        if (next.isEmpty() || !dropped.contains(next.get().number())) {
          return next;
        }
      }
    };
  }

  private int route(InputLine line) throws BadInput {
    var found = settings.destinations().apply(line.dialect());
    if (found.isEmpty()) {
      var api = line.dialect() == Dialect.ANTHROPIC ? "Anthropic's Messages API" : "OpenAI's API";
      throw new BadInput(
          "it is for %s, which the provider of this run does not speak: choose another with --provider"
              .formatted(api));
    }
    var to = found.get();
    var endpoint = to.providers().getFirst().endpoint().provider();
    var provider = settings.simulated() ? to.style() : endpoint;
    if (settings.budgetMoney().isPresent()) {
      price(provider, line.prompt().model());
    }
    var models = catalogue.modelClass(to.style(), line.prompt().model());
    var name = endpoint + "/" + models;
    var known = numbers.get(name);
    if (known != null) {
      return known;
    }
    var profile =
        settings
            .profile()
            .map(limits -> catalogue.profile(limits, models))
            .orElseGet(() -> catalogue.style(to.style()));
    routes.add(new Route(name, provider, models, to, profile));
    numbers.put(name, routes.size() - 1);
    return routes.size() - 1;
  }

  private void price(String provider, String model) {
    var most = bill.price(provider, model, now).flatMap(price -> price.most(1, 1, false));
    if (most.isEmpty()) {
      unpriced.add(bill.unknown(provider, model, now));
    }
  }

  /** Money cannot be kept to where it cannot be counted. */
  private void refuseUnpriced() throws BadInput {
    if (!unpriced.isEmpty()) {
      throw new BadInput("--budget-usd: nothing was sent\n  " + String.join("\n  ", unpriced));
    }
  }

  /** What is known of a lane before its first reply. */
  LaneProfile profile(LaneId lane) {
    return routes.stream()
        .filter(route -> route.lanes.stream().anyMatch(each -> each.id.equals(lane)))
        .findFirst()
        .map(route -> route.profile)
        .orElse(LaneProfile.UNKNOWN);
  }

  List<Route> routes() {
    return routes;
  }

  LineIndex index() {
    if (index == null) {
      throw new IllegalStateException("the plan was not read");
    }
    return index;
  }

  long total() {
    return total;
  }

  /** Lines that have an answer from before. */
  long answered() {
    return answered;
  }

  /** Lines that failed before and are not asked again. */
  long failed() {
    return failed;
  }

  long invalid() {
    return check.invalid();
  }

  List<String> problems() {
    return check.problems();
  }

  @Override
  public void close() throws IOException {
    if (index != null) {
      index.close();
    }
    if (Files.notExists(settings.output())) {
      // Nothing was answered, so nothing will be compared.
      Files.deleteIfExists(settings.index());
    }
  }
}
