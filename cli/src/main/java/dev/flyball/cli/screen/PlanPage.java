package dev.flyball.cli.screen;

import static dev.flyball.cli.screen.Terminal.Colour.BOLD;
import static dev.flyball.cli.screen.Terminal.Colour.DIM;
import static dev.flyball.cli.screen.Terminal.Colour.MAGENTA;

import dev.flyball.forecast.TokenCount;
import dev.flyball.review.finding.SafeText;
import dev.flyball.review.plan.ReviewPlan;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.run.PlanForecast;
import dev.flyball.review.secret.Secrets;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A review's plan as people see it: what is asked, and what that takes and costs. */
public final class PlanPage {
  private static final int UNITS_SHOWN = 12;
  private static final int FILES_NAMED = 3;
  private static final int REASONS = 5;

  private final Terminal terminal;

  public PlanPage(Terminal terminal) {
    this.terminal = terminal;
  }

  public List<String> lines(PlanForecast forecast, String pricesVersion) {
    var plan = forecast.plan();
    var lines = new ArrayList<String>();
    lines.add(
        "%s  %s; %s"
            .formatted(
                terminal.paint(BOLD, SafeText.line(plan.scope().title())),
                what(plan),
                plan.scope()
                    .mode()
                    .map(mode -> mode + ", complexity " + plan.scope().complexity())
                    .orElse("all of it")));
    skipped(plan, lines);
    lines.add("");
    units(plan, lines);
    budget(plan, lines);
    plan.advice().forEach(each -> lines.add(terminal.paint(MAGENTA, each)));
    lines.add("");
    lines.addAll(new EstimatePage(terminal).lines("asked", forecast.estimation(), pricesVersion));
    return lines;
  }

  private static String what(ReviewPlan plan) {
    return plan.scope().mode().isPresent()
        ? count(plan.scope().files(), "changed file")
            + ", "
            + count(plan.scope().lines(), "changed line")
        : count(plan.scope().files(), "file")
            + ", "
            + count(plan.scope().lines(), "line")
            + ", %,d functions and types".formatted(plan.scope().symbols());
  }

  private static String count(long count, String noun) {
    return "%,d %s%s".formatted(count, noun, count == 1 ? "" : "s");
  }

  private void skipped(ReviewPlan plan, List<String> lines) {
    if (plan.scope().skipped().isEmpty()) {
      return;
    }
    var reasons =
        plan.scope().skipped().stream()
            .collect(Collectors.groupingBy(file -> file.why().text(), Collectors.counting()))
            .entrySet()
            .stream()
            .sorted((one, other) -> Long.compare(other.getValue(), one.getValue()))
            .limit(REASONS)
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining(", "));
    lines.add(
        terminal.paint(DIM, "%,d skipped: %s".formatted(plan.scope().skipped().size(), reasons)));
  }

  private void units(ReviewPlan plan, List<String> lines) {
    if (plan.units().isEmpty()) {
      return;
    }
    var table = new TextTable().left("unit").left("model tier").right("input").left("files");
    plan.units().stream()
        .limit(UNITS_SHOWN)
        .forEach(
            unit ->
                table.row(
                    unit.name(),
                    unit.tier().toString(),
                    TokenCount.about(unit.input()),
                    files(unit)));
    lines.addAll(table.lines(head -> terminal.paint(DIM, head)));
    if (plan.units().size() > UNITS_SHOWN) {
      lines.add(
          terminal.paint(
              DIM,
              "and %,d more (all of them: --json)".formatted(plan.units().size() - UNITS_SHOWN)));
    }
  }

  private static String files(Unit unit) {
    var files = unit.files();
    if (files.isEmpty()) {
      return "all parts together";
    }
    var named = String.join(", ", files.subList(0, Math.min(FILES_NAMED, files.size())));
    int more = files.size() - FILES_NAMED;
    return more > 0 ? named + " and " + more + " more" : named;
  }

  private void budget(ReviewPlan plan, List<String> lines) {
    if (plan.budget().isEmpty()) {
      return;
    }
    lines.add("");
    lines.add("budget: up to %,d tokens".formatted(plan.budget().getAsLong()));
    if (!plan.dropped().isEmpty()) {
      lines.add(
          terminal.paint(
              MAGENTA,
              "dropped, because %,d tokens are too few: %s"
                  .formatted(plan.budget().getAsLong(), String.join(", ", plan.dropped()))));
    }
    var missing = plan.beyond().stream().filter(Unit::required).toList();
    if (!missing.isEmpty()) {
      long files = missing.stream().flatMap(unit -> unit.files().stream()).distinct().count();
      lines.add(
          terminal.paint(
              MAGENTA,
              "over budget: %s with %s; the review would be incomplete"
                  .formatted(count(missing.size(), "unit"), count(files, "file"))));
    }
    plan.enough().ifPresent(tokens -> lines.add("to review everything: --budget-tokens " + tokens));
  }

  /** Everything that would be said, word for word. */
  public static void prompts(ReviewPlan plan, Subject subject, PrintWriter out)
      throws SourceUnavailable {
    for (var unit : plan.units()) {
      out.println("#### " + unit.name() + " (" + unit.key() + ")");
      out.println(unit.rules());
      out.println(unit.material(subject, Secrets::hidden).text());
    }
    out.flush();
  }
}
