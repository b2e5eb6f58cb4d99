package dev.flyball.cli.queue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.DurationText;
import dev.flyball.fleet.queue.ListedEntry;
import dev.flyball.fleet.queue.LittlesLaw;
import dev.flyball.fleet.queue.QueueFigures;
import dev.flyball.review.finding.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** A queue as people and programs are shown it. */
public final class QueueTables {
  private QueueTables() {}

  /** Entries, a line each, and a second one where something went wrong. */
  public static List<String> lines(List<ListedEntry> entries) {
    var lines = new ArrayList<String>();
    for (var each : entries) {
      lines.add(
          "%-8s %9s  %s%s%s"
              .formatted(
                  each.shelf(),
                  DurationText.of(each.age()),
                  SafeText.line(each.key()),
                  each.tries() > 0 ? "  tries " + each.tries() : "",
                  each.until().map(left -> until(each, DurationText.of(left))).orElse("")));
      each.why().ifPresent(why -> lines.add("                    " + SafeText.line(why)));
    }
    return lines;
  }

  private static String until(ListedEntry entry, String left) {
    return switch (entry.shelf()) {
      case LATER -> "  again in " + left;
      case CLAIMED ->
          "  %s, lease %s".formatted(SafeText.line(entry.worker().orElse("a worker")), left);
      case READY, DEAD -> "";
    };
  }

  /** The same for programs. */
  public static ArrayNode json(List<ListedEntry> entries) {
    var all = JsonNodeFactory.instance.arrayNode();
    for (var each : entries) {
      var node = all.addObject();
      node.put("id", each.id()).put("shelf", each.shelf().toString()).put("key", each.key());
      node.put("kind", each.kind()).put("output", each.output());
      node.put("ageSeconds", each.age().toMillis() / 1e3).put("tries", each.tries());
      each.worker().ifPresent(worker -> node.put("worker", worker));
      each.why().ifPresent(why -> node.put("why", why));
      each.until().ifPresent(left -> node.put("untilSeconds", left.toMillis() / 1e3));
    }
    return all;
  }

  /** How it stands. */
  public static List<String> lines(QueueFigures figures) {
    var lines = new ArrayList<String>();
    lines.add(
        "ready %,d, later %,d, being worked on %,d, dead letters %,d, done in the last days %,d"
            .formatted(
                figures.ready(),
                figures.later(),
                figures.claimed(),
                figures.dead(),
                figures.done()));
    figures
        .next()
        .ifPresent(age -> lines.add("the next one was added " + DurationText.of(age) + " ago"));
    var totals = figures.totals();
    lines.add(
        "ever: %,d added, %,d done, %,d retried, %,d lost by their workers, %,d became dead letters, %,d dropped"
            .formatted(
                totals.added(),
                totals.done(),
                totals.retried(),
                totals.lost(),
                totals.dead(),
                totals.dropped()));
    var flow = figures.flow();
    flow.inSystem()
        .ifPresent(
            there ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "last minutes: %.3g entries per second, each there for %s and worked on for"
                            + " %s",
                        flow.perSecond(),
                        DurationText.of(there),
                        DurationText.of(flow.inService().orElse(there)))));
    var law = LittlesLaw.of(flow, OptionalDouble.empty(), Integer.MAX_VALUE);
    if (figures.ready() + figures.claimed() > 0) {
      lines.add("Little's law asks for %,d workers: %s".formatted(law.workers(), law.why()));
    }
    for (var worker : figures.workers()) {
      lines.add(
          "worker %s: %d of %d busy%s%s"
              .formatted(
                  SafeText.line(worker.name()),
                  worker.busy(),
                  worker.wanted(),
                  worker.headroom().map(QueueTables::headroom).orElse(""),
                  worker
                      .paused()
                      .map(since -> ", paused for " + DurationText.of(since))
                      .orElse("")));
    }
    return lines;
  }

  private static String headroom(double full) {
    return String.format(Locale.ROOT, ", limits %.0f %% full", full * 100);
  }

  /** The same for programs. */
  public static ObjectNode json(QueueFigures figures) {
    var node = JsonNodeFactory.instance.objectNode();
    node.put("ready", figures.ready()).put("later", figures.later());
    node.put("claimed", figures.claimed()).put("dead", figures.dead()).put("done", figures.done());
    figures.next().ifPresent(age -> node.put("nextAgeSeconds", age.toMillis() / 1e3));
    var totals = node.putObject("totals");
    totals.put("added", figures.totals().added()).put("done", figures.totals().done());
    totals.put("retried", figures.totals().retried()).put("lost", figures.totals().lost());
    totals.put("dead", figures.totals().dead()).put("dropped", figures.totals().dropped());
    var flow = figures.flow();
    node.put("arrivalsPerSecond", flow.perSecond());
    flow.inSystem().ifPresent(time -> node.put("secondsInSystem", time.toMillis() / 1e3));
    flow.inService().ifPresent(time -> node.put("secondsInService", time.toMillis() / 1e3));
    var law = LittlesLaw.of(flow, OptionalDouble.empty(), Integer.MAX_VALUE);
    node.put("workersAsked", law.workers()).put("workersWhy", law.why());
    var workers = node.putArray("workers");
    for (var each : figures.workers()) {
      var worker = workers.addObject().put("name", each.name());
      worker.put("busy", each.busy()).put("wanted", each.wanted());
      each.headroom().ifPresent(full -> worker.put("headroom", full));
      each.paused().ifPresent(since -> worker.put("pausedSeconds", since.toMillis() / 1e3));
    }
    return node;
  }
}
