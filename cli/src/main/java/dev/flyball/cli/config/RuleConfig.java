package dev.flyball.cli.config;

import dev.flyball.review.check.Rulebook;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.run.config.ConfigFile;
import dev.flyball.run.config.ConfigFiles;
import dev.flyball.run.config.ConfigRefused;
import dev.flyball.run.config.ConfigSection;
import dev.flyball.run.config.NearestWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The section {@code rules:} of a file of settings: which rules are on, how grave they are, and in
 * which paths. What looks for somebody who does not wish us well is the user's alone to change.
 */
public final class RuleConfig {
  private static final String SECTION = ConfigSection.RULES.key();
  private static final Set<String> KEYS = Set.of("on", "severity", "paths", "except");

  /** What a project must not switch off, for it may be a stranger's. */
  private static final Set<String> GUARDS =
      Set.of(
          "secret",
          "orders-to-reviewer",
          "addressed-to-reviewer",
          "hidden-characters",
          "link-change",
          "submodule-change",
          "flyball-folder-change");

  private final ConfigFile file;
  private final boolean project;

  private RuleConfig(ConfigFile file, boolean project) {
    this.file = file;
    this.project = project;
  }

  /** The project's choices, and then the user's, which have the last word. */
  static RuleChoices of(ConfigFiles files) throws ConfigRefused {
    return new RuleConfig(files.project(), true)
        .choices()
        .then(new RuleConfig(files.user(), false).choices());
  }

  private RuleChoices choices() throws ConfigRefused {
    if (!file.keys().contains(SECTION)) {
      return RuleChoices.NONE;
    }
    if (!file.hasKeys(SECTION)) {
      throw refused("rules are named below rules:, each with on, off or a severity");
    }
    var choices = new ArrayList<RuleChoices.Choice>();
    for (var id : file.keys(SECTION)) {
      known(id);
      choices.add(choice(id));
    }
    return RuleChoices.of(choices);
  }

  private void known(String id) throws ConfigRefused {
    var rules = Rulebook.rules().keySet();
    boolean many = id.endsWith("*");
    var about =
        rules.stream()
            .filter(
                rule -> many ? rule.startsWith(id.substring(0, id.length() - 1)) : rule.equals(id))
            .toList();
    if (about.isEmpty()) {
      throw refused(
          "there is no rule "
              + ShownValue.plain(id)
              + NearestWord.of(id, rules)
                  .or(() -> named(id, rules))
                  .map(each -> "; did you mean " + each + "?")
                  .orElse("; `flyball rules` lists them"),
          id);
    }
    var guarded = about.stream().filter(GUARDS::contains).sorted().findFirst();
    if (project && guarded.isPresent()) {
      throw refused(
          guarded.get()
              + " protects you from the author of the code: only your own config.yaml can change"
              + " it",
          id);
    }
  }

  /** A rule of that name, whatever its language. */
  private static Optional<String> named(String id, Set<String> rules) {
    var name = id.substring(id.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    return rules.stream()
        .filter(rule -> rule.toLowerCase(Locale.ROOT).endsWith("/" + name))
        .sorted()
        .findFirst();
  }

  private RuleChoices.Choice choice(String id) throws ConfigRefused {
    if (!file.hasKeys(SECTION, id)) {
      var word = file.value(SECTION, id).orElse("");
      return new RuleChoices.Choice(
          id, Optional.of(isOn(word, id)), grave(word), List.of(), List.of());
    }
    for (var key : file.keys(SECTION, id)) {
      if (!KEYS.contains(key)) {
        throw refused(
            "a rule takes on, severity, paths and except, not " + ShownValue.plain(key), id, key);
      }
    }
    var severity = file.value(SECTION, id, "severity");
    if (severity.isPresent() && grave(severity.get()).isEmpty()) {
      throw refused(
          "severity must be critical, major or minor, not " + ShownValue.plain(severity.get()),
          id,
          "severity");
    }
    var on = file.value(SECTION, id, "on");
    return new RuleChoices.Choice(
        id,
        on.isPresent() ? Optional.of(isOn(on.get(), id)) : Optional.of(true),
        severity.flatMap(RuleConfig::grave),
        paths(id, "paths"),
        paths(id, "except"));
  }

  private boolean isOn(String word, String id) throws ConfigRefused {
    return switch (word) {
      case "on", "true", "critical", "major", "minor" -> true;
      case "off", "false" -> false;
      default ->
          throw refused(
              "a rule must be on, off, critical, major or minor, not " + ShownValue.plain(word),
              id);
    };
  }

  private static Optional<Severity> grave(String word) {
    return Severity.of(word);
  }

  private List<Pattern> paths(String id, String key) throws ConfigRefused {
    var found = new ArrayList<Pattern>();
    for (var glob : file.value(SECTION, id, key).orElse("").split(",", -1)) {
      if (!glob.isBlank()) {
        try {
          found.add(RuleChoices.paths(glob.strip()));
        } catch (IllegalArgumentException wild) {
          throw refused(String.valueOf(wild.getMessage()), id, key);
        }
      }
    }
    return found;
  }

  private ConfigRefused refused(String why, String... below) {
    var path = new ArrayList<>(List.of(SECTION));
    path.addAll(List.of(below));
    return new ConfigRefused(file.place(path.toArray(String[]::new)) + ": " + why);
  }
}
