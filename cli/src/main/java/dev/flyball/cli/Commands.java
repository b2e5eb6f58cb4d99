package dev.flyball.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/** All commands by their names. One is built only when it is named: most starts need just one. */
final class Commands {
  private static final Map<String, Supplier<Object>> SHOWN = new LinkedHashMap<>();
  private static final Map<String, Supplier<Object>> HIDDEN = Map.of("warm-up", WarmUp::new);

  static {
    SHOWN.put("demo", Demo::new);
    SHOWN.put("batch", RunBatch::new);
    SHOWN.put("review", RunReview::new);
    SHOWN.put("queue", ManageQueue::new);
    SHOWN.put("serve", RunServer::new);
    SHOWN.put("dashboard", ShowDashboard::new);
    SHOWN.put("keys", ManageKeys::new);
    SHOWN.put("estimate", ShowEstimate::new);
    SHOWN.put("report", ShowReport::new);
    SHOWN.put("rules", ShowRules::new);
    SHOWN.put("usage", ShowUsage::new);
    SHOWN.put("status", ShowStatus::new);
    SHOWN.put("lanes", ShowLanes::new);
    SHOWN.put("fleet", ShowFleet::new);
    SHOWN.put("prices", ShowPrices::new);
    SHOWN.put("init", InitConfig::new);
    SHOWN.put("config", ShowConfig::new);
    SHOWN.put("completion", PrintCompletion::new);
    SHOWN.put("simulate", Simulate::new);
  }

  private Commands() {}

  /** Those that people are shown. */
  static List<String> names() {
    return List.copyOf(SHOWN.keySet());
  }

  static boolean has(String name) {
    return SHOWN.containsKey(name) || HIDDEN.containsKey(name);
  }

  /** Whether a command may be about a change, so that what configures it may be part of it. */
  static boolean isReviewing(String name) {
    return name.equals("review") || name.equals("estimate");
  }

  /** Adds those that are named. */
  static void add(CommandLine main, List<String> named) {
    for (var name : named) {
      var maker = SHOWN.getOrDefault(name, HIDDEN.get(name));
      if (maker != null) {
        main.addSubcommand(name, maker.get());
      }
    }
  }
}
