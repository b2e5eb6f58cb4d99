package dev.flyball.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.cli.help.Examples;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.review.finding.CheckRule;
import dev.flyball.review.rule.DefectRule;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.review.rule.RuleFiles;
import dev.flyball.review.rule.RuleLanguage;
import dev.flyball.run.ExitCode;
import dev.flyball.run.config.NearestWord;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball rules}: what code is held against without a model. */
@Command(
    name = "rules",
    description = {
      "Lists the static rules of `flyball review`, or shows one.",
      "`right` is how many of the findings that were judged in public code were true."
    },
    footer = {
      "",
      "In flyball.yaml or your own config.yaml, a rule can be turned off, get another severity, or"
          + " be limited to paths:",
      "  rules:",
      "    python/eval-of-text: off",
      "    java/EmptyCatchBlock: minor",
      "    duplicate-code: {on: true, paths: [src/**], except: [src/generated/**]}",
      "    kotlin/*: off",
      "",
      "Exit codes: 0, or 2 if ID or NAME is unknown."
    })
@Examples({"flyball rules", "flyball rules --language python", "flyball rules python/eval-of-text"})
final class ShowRules implements Callable<Integer> {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "The rule to show.")
  private @Nullable String id;

  @Option(
      names = "--language",
      paramLabel = "NAME",
      description = "Only rules for this language, such as python.")
  private @Nullable String language;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    var choices = main.config().rules();
    if (language != null && RuleLanguage.named(language).isEmpty()) {
      return refuse(
          "--language: there is "
              + List.of(RuleLanguage.values()).stream()
                  .map(RuleLanguage::key)
                  .collect(Collectors.joining(", "))
              + ", not "
              + language);
    }
    var wanted = RuleFiles.all().stream().filter(this::isWanted).toList();
    if (wanted.isEmpty()) {
      var ids = RuleFiles.all().stream().map(DefectRule::id).toList();
      return refuse(
          "there is no rule "
              + id
              + NearestWord.of(String.valueOf(id), ids)
                  .map(each -> "; did you mean " + each + "?")
                  .orElse(""));
    }
    if (json) {
      var all = NODES.arrayNode();
      wanted.forEach(rule -> all.add(node(rule, choices)));
      out.println(AsciiJson.pretty(id == null ? all : all.get(0)));
    } else if (id == null) {
      list(wanted, choices, out);
    } else {
      show(wanted.getFirst(), choices, out);
    }
    return ExitCode.DONE.code();
  }

  private int refuse(String why) {
    spec.commandLine().getErr().println("flyball rules: " + why);
    return ExitCode.REFUSED.code();
  }

  private boolean isWanted(DefectRule rule) {
    return (id == null || rule.id().equals(id))
        && (language == null
            || rule.languages().stream().anyMatch(each -> each.key().equals(language)));
  }

  private static void list(List<DefectRule> rules, RuleChoices choices, PrintWriter out) {
    int width = rules.stream().mapToInt(rule -> rule.id().length()).max().orElse(0);
    var row = "%-" + width + "s  %-8s  %-3s  %-7s  %-5s  %s%n";
    out.printf(Locale.ROOT, row, "rule", "severity", "", "right", "where", "title");
    for (var rule : rules) {
      out.printf(
          Locale.ROOT,
          row,
          rule.id(),
          choices.severity(rule.about()),
          choices.on(rule.about()) ? "on" : "off",
          right(rule.about()),
          rule.where().name().toLowerCase(Locale.ROOT),
          rule.about().title());
    }
    long on = rules.stream().filter(rule -> choices.on(rule.about())).count();
    out.printf(Locale.ROOT, "%d rules, %d on; `flyball rules ID` shows one%n", rules.size(), on);
  }

  private static String right(CheckRule rule) {
    return rule.measured().map(each -> each.right() + "/" + each.of()).orElse("-");
  }

  private static void show(DefectRule rule, RuleChoices choices, PrintWriter out) {
    var about = rule.about();
    out.println(rule.id() + ": " + about.title());
    out.println();
    out.println(about.message());
    if (!about.why().isEmpty()) {
      out.println();
      out.println(about.why());
    }
    out.println();
    out.println("fix:        " + about.advice());
    out.println("severity:   " + choices.severity(about));
    out.println("category:   " + about.category());
    out.println("is:         " + (choices.on(about) ? "on" : "off"));
    out.println(
        "languages:  "
            + (rule.languages().isEmpty()
                ? "all"
                : rule.languages().stream()
                    .map(RuleLanguage::title)
                    .sorted()
                    .collect(Collectors.joining(", "))));
    out.println("where:      " + rule.where().name().toLowerCase(Locale.ROOT));
    if (!about.cwe().isEmpty()) {
      out.println(
          "weaknesses: "
              + about.cwe().stream().map(each -> "CWE-" + each).collect(Collectors.joining(", ")));
    }
    about
        .measured()
        .ifPresent(
            each ->
                out.println(
                    "right:      %d of %d, %s, in %s"
                        .formatted(each.right(), each.of(), each.date(), each.sample())));
    out.println(
        "silence:    a comment `flyball:ignore %s REASON` on the line, `rules: {%s: off}` in flyball.yaml, or the baseline"
            .formatted(rule.id(), rule.id()));
    examples("found in:", rule.matches(), out);
    examples("not found in:", rule.ignores(), out);
  }

  private static void examples(String head, List<DefectRule.Example> examples, PrintWriter out) {
    for (var each : examples) {
      out.println();
      out.println(head);
      each.code().lines().forEach(line -> out.println("    " + line));
    }
  }

  private static ObjectNode node(DefectRule rule, RuleChoices choices) {
    var about = rule.about();
    var node = NODES.objectNode();
    node.put("id", rule.id());
    var languages = node.putArray("languages");
    rule.languages().stream().map(RuleLanguage::key).sorted().forEach(languages::add);
    node.put("severity", choices.severity(about).toString());
    node.put("category", about.category().toString());
    node.put("on", choices.on(about));
    node.put("where", rule.where().name().toLowerCase(Locale.ROOT));
    node.put("title", about.title());
    node.put("message", about.message());
    node.put("why", about.why());
    node.put("fix", about.advice());
    about.cwe().forEach(node.putArray("cwe")::add);
    about.tags().forEach(node.putArray("tags")::add);
    about
        .measured()
        .ifPresentOrElse(
            each ->
                node.putObject("precision")
                    .put("right", each.right())
                    .put("of", each.of())
                    .put("date", each.date().toString())
                    .put("sample", each.sample()),
            () -> node.putNull("precision"));
    var matches = node.putArray("matches");
    rule.matches().forEach(each -> matches.add(each.code()));
    var ignores = node.putArray("ignores");
    rule.ignores().forEach(each -> ignores.add(each.code()));
    return node;
  }
}
