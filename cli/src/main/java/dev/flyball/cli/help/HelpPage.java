package dev.flyball.cli.help;

import dev.flyball.cli.option.BatchOptions;
import dev.flyball.cli.option.BoundOptions;
import dev.flyball.cli.option.ConcurrencyOption;
import dev.flyball.cli.option.FleetOption;
import dev.flyball.cli.option.HistoryOptions;
import dev.flyball.cli.option.PlanOptions;
import dev.flyball.cli.option.ProgressOptions;
import dev.flyball.cli.option.ProviderOptions;
import dev.flyball.cli.option.PullOptions;
import dev.flyball.cli.option.QueueAddOptions;
import dev.flyball.cli.option.QueueWorkOptions;
import dev.flyball.cli.option.SubjectOptions;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A command's help: what it does, examples, and its options in groups, as wide as the screen. */
public final class HelpPage {
  private static final int NAMES = 26;
  private static final int WIDEST = 120;
  private static final String OTHERS = "Options";
  private static final String GENERAL = "General";
  private static final Map<Class<?>, String> GROUPS = new LinkedHashMap<>();

  /** Of options that commands have for themselves. */
  private static final Map<String, String> OWN =
      Map.of("--no-history", "History and progress", "--model", "Models and lenses");

  static {
    GROUPS.put(SubjectOptions.class, "What is reviewed");
    GROUPS.put(PullOptions.class, "Pull requests");
    GROUPS.put(BatchOptions.class, "Input and output");
    GROUPS.put(QueueAddOptions.class, "For add");
    GROUPS.put(QueueWorkOptions.class, "For work");
    GROUPS.put(ProviderOptions.class, "Provider");
    GROUPS.put(PlanOptions.class, "Models and lenses");
    GROUPS.put(FleetOption.class, "Limits and budget");
    GROUPS.put(BoundOptions.class, "Limits and budget");
    GROUPS.put(ConcurrencyOption.class, "Limits and budget");
    GROUPS.put(HistoryOptions.class, "History and progress");
    GROUPS.put(ProgressOptions.class, "History and progress");
  }

  private final CommandSpec command;
  private final int width;

  public HelpPage(CommandSpec command, int width) {
    this.command = command;
    this.width = Math.clamp(width, 40, WIDEST);
  }

  public List<String> lines() {
    var lines = new ArrayList<String>();
    for (var sentence : command.usageMessage().description()) {
      wrap(lines, "", sentence);
    }
    var examples = examples(command);
    if (!examples.isEmpty()) {
      lines.add("");
      lines.add("Examples:");
      examples.forEach(each -> lines.add("  " + each));
    }
    lines.add("");
    lines.add("Usage: " + synopsis(command));
    for (var parameter : command.positionalParameters()) {
      entry(lines, parameter.paramLabel(), text(parameter.description()));
    }
    groups(command)
        .forEach(
            (name, options) -> {
              lines.add("");
              lines.add(name + ":");
              options.forEach(each -> entry(lines, names(each), text(each.description(), each)));
            });
    for (var note : command.usageMessage().footer()) {
      wrap(lines, "", note);
    }
    return lines;
  }

  static List<String> examples(CommandSpec command) {
    var mark = command.userObject().getClass().getAnnotation(Examples.class);
    return mark == null ? List.of() : List.of(mark.value());
  }

  static String synopsis(CommandSpec command) {
    var own = command.usageMessage().customSynopsis();
    if (own.length > 0) {
      return own[0];
    }
    return command.qualifiedName()
        + " [OPTIONS]"
        + command.positionalParameters().stream()
            .map(
                each ->
                    (each.arity().min() == 0 ? " [%s]" : " %s").formatted(each.paramLabel())
                        + (each.arity().max() > 1 ? "..." : ""))
            .collect(Collectors.joining());
  }

  /** The options that are shown, by what they are about. */
  static Map<String, List<OptionSpec>> groups(CommandSpec command) {
    var groups = new LinkedHashMap<String, List<OptionSpec>>();
    groups.put(OTHERS, new ArrayList<>());
    GROUPS.values().forEach(name -> groups.putIfAbsent(name, new ArrayList<>()));
    groups.put(GENERAL, new ArrayList<>());
    for (var option : command.options()) {
      if (!option.hidden()) {
        groups.computeIfAbsent(group(option), name -> new ArrayList<>()).add(option);
      }
    }
    groups.values().removeIf(List::isEmpty);
    return groups;
  }

  private static String group(OptionSpec option) {
    if (option.usageHelp() || option.versionHelp()) {
      return GENERAL;
    }
    return option.userObject() instanceof Field field
        ? Optional.ofNullable(GROUPS.get(field.getDeclaringClass()))
            .orElseGet(() -> OWN.getOrDefault(option.longestName(), OTHERS))
        : OTHERS;
  }

  static String names(OptionSpec option) {
    var names = String.join(", ", option.names());
    return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
  }

  static String text(String[] description, OptionSpec option) {
    var usual = option.defaultValue();
    return text(description).replace("${DEFAULT-VALUE}", usual == null ? "" : usual);
  }

  static String text(String[] description) {
    return String.join(" ", description).replace("%n", " ").replace("%%", "%");
  }

  private void entry(List<String> lines, String names, String text) {
    var begin = "  " + names;
    var margin = " ".repeat(NAMES);
    if (begin.length() + 2 > NAMES) {
      lines.add(begin);
      begin = "";
    }
    var wrapped = new ArrayList<String>();
    wrap(wrapped, margin, text);
    if (!begin.isEmpty() && !wrapped.isEmpty()) {
      wrapped.set(0, begin + " ".repeat(NAMES - begin.length()) + wrapped.getFirst().strip());
    } else if (!begin.isEmpty()) {
      wrapped.add(begin);
    }
    lines.addAll(wrapped);
  }

  /** At spaces only; what is set in by hand stays as it is. */
  private void wrap(List<String> lines, String margin, String text) {
    if (text.isEmpty() || text.startsWith(" ")) {
      lines.add(text);
      return;
    }
    var line = new StringBuilder(margin);
    for (var word : text.split(" ", -1)) {
      if (line.length() > margin.length() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line = new StringBuilder(margin);
      }
      line.append(line.length() > margin.length() ? " " : "").append(word);
    }
    lines.add(line.toString());
  }
}
