package dev.flyball.cli.screen;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.Cost;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.ReviewSums;
import dev.flyball.history.record.UsageRow;
import dev.flyball.history.record.UsageSums;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.review.finding.SafeText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Usage as programs read it: exact numbers, money as a decimal text. */
public final class UsageExport {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private UsageExport() {}

  public static String json(UsageSums usages) {
    var page = NODES.objectNode();
    page.put("since", usages.since().toString());
    page.put("until", usages.until().toString());
    page.put("simulated", usages.origin() == AnswerOrigin.SIMULATED);
    var by = page.putArray("by");
    usages.by().forEach(each -> by.add(UsagePage.name(each)));
    var rows = page.putArray("rows");
    usages.rows().forEach(row -> rows.add(node(usages, row)));
    page.set("total", node(usages, usages.total()));
    return AsciiJson.pretty(page);
  }

  public static List<String> csv(UsageSums usages) {
    var lines = new ArrayList<String>();
    lines.add(
        Stream.concat(
                usages.by().stream().map(UsagePage::name),
                node(usages, usages.total()).properties().stream().map(Map.Entry::getKey))
            .collect(Collectors.joining(",")));
    usages
        .rows()
        .forEach(
            row ->
                lines.add(
                    node(usages, row)
                        .valueStream()
                        .map(JsonNode::asText)
                        .map(UsageExport::quoted)
                        .collect(Collectors.joining(","))));
    return lines;
  }

  private static String quoted(String cell) {
    var line = SafeText.line(cell);
    return line.matches("[^\",]*") ? line : '"' + line.replace("\"", "\"\"") + '"';
  }

  private static ObjectNode node(UsageSums usages, UsageRow row) {
    var node = NODES.objectNode();
    usages
        .by()
        .forEach(
            by -> {
              var group = row.group().get(by);
              if (group != null) {
                node.put(UsagePage.name(by), group);
              }
            });
    if (usages.isOfCalls()) {
      calls(row, node);
    }
    if (usages.isOfReviews()) {
      reviews(usages.reviews(row), node);
    }
    return node;
  }

  private static void reviews(ReviewSums sums, ObjectNode node) {
    node.put("reviews", sums.reviews())
        .put("reviewTokens", sums.tokens())
        .put("meanReviewTokens", sums.meanTokens())
        .put("maxReviewTokens", sums.mostTokens())
        .put("meanReviewMs", sums.meanTime().toMillis())
        .put("maxReviewMs", sums.longest().toMillis())
        .put("reviewCostUsd", dollars(sums.cost()))
        .put("meanReviewCostUsd", sums.priced() == 0 ? "" : dollars(sums.meanCost()))
        .put("unpricedReviews", sums.unpriced());
  }

  private static String dollars(Cost cost) {
    return BigDecimal.valueOf(cost.micros(), 6).toPlainString();
  }

  private static void calls(UsageRow row, ObjectNode node) {
    var usage = row.usage();
    node.put("calls", UsageSums.calls(row))
        .put("attempts", row.attempts())
        .put("answered", row.answered())
        .put("throttled", row.throttled())
        .put("retried", row.retried())
        .put("input", usage.input())
        .put("output", usage.output())
        .put("cacheRead", usage.cacheRead())
        .put("cacheWrite", usage.cacheWrite())
        .put("wasted", row.wasted())
        .put("meanTokens", UsageSums.meanTokens(row))
        .put("maxTokens", row.mostTokens())
        .put("meanMs", UsageSums.meanLatency(row).toMillis())
        .put("maxMs", row.longest().toMillis())
        .put("costUsd", dollars(usage.cost()))
        .put("unpriced", row.unpriced());
  }
}
