package dev.flyball.review.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.lens.PromptText;
import dev.flyball.review.plan.Excerpt;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks the units of a plan, each as soon as the scheduler lets it go, and keeps what was answered.
 *
 * <p>A unit has an answer only if a model said, in whole JSON, that it looked at everything that it
 * was shown. What was refused, filtered, garbled or left out is asked once more, with the first
 * answer; one that does not fit has more room once, and is then asked for in halves; what then is
 * missing stays unanswered and is named. Nothing that failed is ever taken for "nothing found".
 */
public final class UnitRunner {
  private static final int HALVINGS = 4;
  private static final int MORE_ROOM = 3;
  private static final int TRIES_OF_A_BUDGET = 8;
  private static final int MORE_FILES = 3;
  private static final int MORE_CHARACTERS = 40_000;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /**
   * The answers of all units.
   *
   * @param unanswered what has no answer, by unit and file, and why
   * @param lost findings that were dropped because their quotes are nowhere
   * @param asked how many units were asked in this run
   * @param cached how many had been answered before
   */
  public record Answers(
      List<Claim> claims, List<Unanswered> unanswered, int lost, int asked, int cached) {
    public Answers {
      claims = List.copyOf(claims);
      unanswered = List.copyOf(unanswered);
    }
  }

  /** Those of units that were asked one after the other. */
  public static Answers together(Answers one, Answers other) {
    var claims = new ArrayList<>(one.claims);
    claims.addAll(other.claims);
    var unanswered = new ArrayList<>(one.unanswered);
    unanswered.addAll(other.unanswered);
    return new Answers(
        claims,
        unanswered,
        one.lost + other.lost,
        one.asked + other.asked,
        one.cached + other.cached);
  }

  /** A part of a unit without an answer. */
  public record Unanswered(Unit unit, List<String> what, ModelClient.Cause cause, String why) {
    public Unanswered {
      what = List.copyOf(what);
    }
  }

  private final Subject subject;
  private final ModelClient client;
  private final AnswerJournal journal;
  private final UnitListener listener;

  public UnitRunner(
      Subject subject, ModelClient client, AnswerJournal journal, UnitListener listener) {
    this.subject = subject;
    this.client = client;
    this.journal = journal;
    this.listener = listener;
  }

  /** Asks all of them; what was answered before is not asked again. */
  public Answers ask(List<Unit> units) throws InterruptedException {
    var ends = new ArrayList<CompletableFuture<End>>();
    var cached = new AtomicInteger();
    var order = new SpendingOrder(units, client::spare);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var unit : units) {
        var end = new CompletableFuture<End>();
        ends.add(end);
        threads.execute(() -> end.complete(end(unit, cached, order)));
      }
    }
    var claims = new ArrayList<Claim>();
    var unanswered = new ArrayList<Unanswered>();
    int lost = 0;
    for (var each : ends) {
      var end = each.join();
      claims.addAll(end.claims);
      unanswered.addAll(end.unanswered);
      lost += end.lost;
    }
    int asked = (int) units.stream().filter(client::wasSent).count();
    return new Answers(claims, unanswered, lost, asked, cached.get());
  }

  /** What became of one unit. */
  private record End(List<Claim> claims, List<Unanswered> unanswered, int lost, boolean cached) {
    static End of(UnitResult report, boolean cached) {
      return new End(report.claims(), List.of(), report.lost(), cached);
    }

    static End nothing(Unit unit, ModelClient.Cause cause, String why) {
      return new End(List.of(), List.of(new Unanswered(unit, named(unit), cause, why)), 0, false);
    }

    End and(End other) {
      var claims = new ArrayList<>(this.claims);
      claims.addAll(other.claims);
      var unanswered = new ArrayList<>(this.unanswered);
      unanswered.addAll(other.unanswered);
      return new End(claims, unanswered, lost + other.lost, cached && other.cached);
    }
  }

  private End end(Unit unit, AtomicInteger cached, SpendingOrder order) {
    listener.state(unit, UnitState.PENDING, "");
    End end;
    try {
      end = inOrder(unit, order);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      end = End.nothing(unit, ModelClient.Cause.STOPPED, "stopped");
    } catch (IOException | SourceUnavailable | RuntimeException broken) {
      end = End.nothing(unit, ModelClient.Cause.PROVIDER, String.valueOf(broken.getMessage()));
    }
    order.over(unit);
    if (end.cached) {
      cached.incrementAndGet();
    }
    listener.found(unit, end.claims);
    listener.state(
        unit,
        end.unanswered.isEmpty() ? end.cached ? UnitState.CACHED : UnitState.DONE : UnitState.ERROR,
        end.unanswered.isEmpty() ? "" : end.unanswered.getFirst().why());
    return end;
  }

  private static List<String> named(Unit unit) {
    return unit.excerpts().isEmpty() ? List.of(unit.name()) : unit.files();
  }

  private End inOrder(Unit unit, SpendingOrder order)
      throws IOException, SourceUnavailable, InterruptedException {
    if (journal.answer(client.key(unit, AnswerSchema.of(unit))).isEmpty()) {
      order.await(unit);
    }
    return answered(unit, HALVINGS);
  }

  /**
   * Asks; where a budget has too little left for the longest answer, for one that it has enough.
   * What others hold of it they give back when they have their answers, so it is over only when
   * asking again finds it as it was.
   */
  private ModelClient.Heard asked(
      Unit unit, AnswerSchema schema, String key, Optional<ReviewRequest.Earlier> earlier)
      throws InterruptedException {
    var heard = client.ask(unit, schema, Optional.of(key), earlier);
    long before = Long.MIN_VALUE;
    for (int i = 0; i < TRIES_OF_A_BUDGET; i++) {
      var left = client.left();
      boolean spent =
          heard instanceof ModelClient.Heard.Failed(var cause, var why)
              && cause == ModelClient.Cause.BUDGET;
      if (!spent || left.isEmpty()) {
        return heard;
      }
      long room = left.getAsLong() - unit.input();
      boolean shorter = room >= unit.output() && room < unit.mostOutput();
      if (!shorter && room == before) {
        return heard;
      }
      before = room;
      // A call in full waits while others hold something, and is refused at once when nobody does.
      heard = client.ask(shorter ? unit.room(room) : unit, schema, Optional.of(key), earlier);
    }
    return heard;
  }

  /** The same with more room for its answer, if the model can have more. */
  private Optional<Unit> roomier(Unit unit) {
    long more = Math.min(client.longestAnswer(unit), MORE_ROOM * unit.mostOutput());
    return more > unit.mostOutput() ? Optional.of(unit.room(more)) : Optional.empty();
  }

  private End answered(Unit unit, int halvings)
      throws IOException, SourceUnavailable, InterruptedException {
    var source = client.source(unit);
    var schema = AnswerSchema.of(unit);
    var key = client.key(unit, schema);
    var before = journal.answer(key);
    if (before.isPresent()) {
      return before.get().path("split").asBoolean(false)
          ? halves(unit, halvings)
          : End.of(UnitResult.of(unit, before.get(), subject, source), true);
    }
    var first = asked(unit, schema, key, Optional.empty());
    if (isCutOff(first) && roomier(unit).isPresent()) {
      var again = asked(roomier(unit).get(), schema, key, Optional.empty());
      first = again instanceof ModelClient.Heard.Came ? again : first;
    }
    if (first instanceof ModelClient.Heard.Failed(var cause, var why)) {
      return End.nothing(unit, cause, why);
    }
    var output = ((ModelClient.Heard.Came) first).output();
    if (output instanceof ModelOutput.Unusable nothing) {
      if (nothing.flaw() == ModelOutput.Flaw.CUT_OFF && halvings > 0 && isDivisible(unit)) {
        journal.keep(key, unit.key(), NODES.objectNode().put("split", true));
        return halves(unit, halvings);
      }
      var earlier = new ReviewRequest.Earlier(nothing.text(), nothing.why());
      return nothing.flaw().again()
          ? repaired(unit, key, Optional.empty(), earlier)
          : End.nothing(unit, ModelClient.Cause.MODEL, nothing.why());
    }
    var object = ((ModelOutput.Parsed) output).object();
    var report = UnitResult.of(unit, object, subject, source);
    if (!report.missing().isEmpty()) {
      var why = "it did not confirm that it looked at " + PromptText.names(report.missing());
      return repaired(
          unit, key, Optional.of(object), new ReviewRequest.Earlier(object.toString(), why));
    }
    var wider = wider(unit, report.wanted());
    if (wider.isPresent()) {
      var more = client.ask(wider.get(), schema, Optional.empty(), Optional.empty());
      if (more instanceof ModelClient.Heard.Came(ModelOutput.Parsed(var second))) {
        var better = UnitResult.of(unit, second, subject, source);
        if (better.missing().isEmpty() && client.key(unit, schema).equals(key)) {
          journal.keep(key, unit.key(), second);
          return End.of(better, false);
        }
      }
    }
    journal.keep(key, unit.key(), object);
    return End.of(report, false);
  }

  private End repaired(
      Unit unit, String key, Optional<JsonNode> first, ReviewRequest.Earlier earlier)
      throws IOException, SourceUnavailable, InterruptedException {
    var again = asked(unit, AnswerSchema.of(unit), key, Optional.of(earlier));
    var source = client.source(unit);
    if (again instanceof ModelClient.Heard.Came(ModelOutput.Parsed(var second))) {
      var both = first.map(object -> united(object, second)).orElse(second);
      var report = UnitResult.of(unit, both, subject, source);
      if (report.missing().isEmpty()) {
        journal.keep(key, unit.key(), both);
        return End.of(report, false);
      }
      return partly(unit, report, ModelClient.Cause.MODEL, "never confirmed that it looked at it");
    }
    var failed =
        switch (again) {
          case ModelClient.Heard.Failed no -> no;
          case ModelClient.Heard.Came(ModelOutput.Unusable nothing) ->
              new ModelClient.Heard.Failed(ModelClient.Cause.MODEL, nothing.why());
          case ModelClient.Heard.Came(ModelOutput.Parsed whole) ->
              new ModelClient.Heard.Failed(ModelClient.Cause.MODEL, earlier.why());
        };
    if (first.isPresent()) {
      var report = UnitResult.of(unit, first.get(), subject, source);
      return partly(unit, report, failed.cause(), failed.why());
    }
    return End.nothing(unit, failed.cause(), failed.why());
  }

  /** What was found counts, and what was not looked at is named. */
  private static End partly(Unit unit, UnitResult report, ModelClient.Cause cause, String why) {
    return new End(
        report.claims(),
        List.of(new Unanswered(unit, report.missing(), cause, why)),
        report.lost(),
        false);
  }

  /** Of both answers; of what both are about, what was said last holds. */
  private static JsonNode united(JsonNode one, JsonNode other) {
    var both = (ObjectNode) one.deepCopy();
    var again = new HashSet<String>();
    other.path("reviewed").forEach(it -> again.add(named(it)));
    for (var list : List.of("reviewed", "findings")) {
      var all = NODES.arrayNode();
      one.path(list).forEach(it -> addUnless(again.contains(named(it)) && it.isObject(), it, all));
      other.path(list).forEach(all::add);
      both.set(list, all);
    }
    return both;
  }

  private static String named(JsonNode entry) {
    return entry.path("file").asText("")
        + "#"
        + entry.path("symbol").asText(entry.path("title").asText(""));
  }

  private static void addUnless(boolean known, JsonNode entry, ArrayNode all) {
    if (!known) {
      all.add(entry);
    }
  }

  private static boolean isCutOff(ModelClient.Heard heard) {
    return heard instanceof ModelClient.Heard.Came(ModelOutput.Unusable(var flaw, var text))
        && flaw == ModelOutput.Flaw.CUT_OFF;
  }

  private static boolean isDivisible(Unit unit) {
    var judged = unit.judged();
    return judged.size() > 1 || (judged.size() == 1 && judged.getFirst().symbols().size() > 1);
  }

  private End halves(Unit unit, int halvings)
      throws IOException, SourceUnavailable, InterruptedException {
    List<Excerpt> first;
    List<Excerpt> second;
    var judged = unit.judged();
    int size = judged.size();
    if (size > 1) {
      first = judged.subList(0, size / 2);
      second = judged.subList(size / 2, size);
    } else {
      var only = judged.getFirst();
      int symbols = only.symbols().size();
      first = List.of(only.about(only.symbols().subList(0, symbols / 2)));
      second = List.of(only.about(only.symbols().subList(symbols / 2, symbols)));
    }
    return answered(unit.about(first), halvings - 1)
        .and(answered(unit.about(second), halvings - 1));
  }

  /**
   * With files that a model said it has to see: once, only so much, and only such as the review
   * itself could show. A reply causes no other action.
   */
  private Optional<Unit> wider(Unit unit, List<String> wanted) throws SourceUnavailable {
    var more = new ArrayList<Excerpt>();
    for (var path : wanted) {
      if (more.size() < MORE_FILES && !unit.files().contains(path)) {
        subject
            .reference(path)
            .filter(text -> text.length() <= MORE_CHARACTERS)
            .ifPresent(text -> more.add(Excerpt.reference(path, text)));
      }
    }
    return more.isEmpty() ? Optional.empty() : Optional.of(unit.beside(more));
  }
}
