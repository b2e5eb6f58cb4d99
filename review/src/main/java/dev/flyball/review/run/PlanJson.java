package dev.flyball.review.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.plan.Unit;
import dev.flyball.run.EstimateJson;
import java.util.List;

/** A review's plan as programs read it: an estimate, and what is asked. */
public final class PlanJson {
  private PlanJson() {}

  public static ObjectNode of(PlanForecast forecast, String pricesVersion) {
    var plan = forecast.plan();
    var node = EstimateJson.of(plan.scope().title(), forecast.estimation(), pricesVersion);
    node.put("mode", plan.scope().modeName())
        .put("complexity", plan.scope().complexity())
        .put("files", plan.scope().files())
        .put("lines", plan.scope().lines())
        .put("symbols", plan.scope().symbols());
    plan.budget()
        .ifPresentOrElse(
            most -> node.put("budgetTokens", most), () -> node.putNull("budgetTokens"));
    units(node.putArray("units"), plan.units());
    units(node.putArray("beyondBudget"), plan.beyond());
    var dropped = node.putArray("droppedLenses");
    plan.dropped().forEach(dropped::add);
    var skipped = node.putArray("skipped");
    plan.scope()
        .skipped()
        .forEach(
            file -> skipped.addObject().put("path", file.path()).put("reason", file.why().text()));
    var advice = node.putArray("advice");
    plan.advice().forEach(advice::add);
    ((ObjectNode) node.get("time")).put("seedMinutes", forecast.survey().minutes());
    return node;
  }

  private static void units(ArrayNode all, List<Unit> units) {
    for (var unit : units) {
      var node = all.addObject().put("key", unit.key()).put("name", unit.name());
      var lenses = node.putArray("lenses");
      unit.lenses().stream().map(Lens::name).forEach(lenses::add);
      node.put("tier", unit.tier().toString())
          .put("inputTokens", unit.input())
          .put("prefixTokens", unit.prefix())
          .put("outputTokens", unit.output())
          .put("maxOutputTokens", unit.mostOutput());
      var files = node.putArray("files");
      for (var excerpt : unit.excerpts()) {
        if (excerpt.reference()) {
          continue;
        }
        var file =
            files
                .addObject()
                .put("path", excerpt.path())
                .put("line", excerpt.line())
                .put("endLine", excerpt.endLine());
        if (!excerpt.symbols().isEmpty()) {
          var symbols = file.putArray("symbols");
          excerpt
              .symbols()
              .forEach(
                  it ->
                      symbols
                          .addObject()
                          .put("name", it.path())
                          .put("line", it.line())
                          .put("endLine", it.endLine()));
        }
      }
    }
  }
}
