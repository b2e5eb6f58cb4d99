package dev.flyball.cli.help;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The script by which a shell completes commands and options. */
public enum ShellCompletion {
  BASH {
    @Override
    public String script(CommandLine main) {
      return AutoComplete.bash("flyball", main);
    }
  },
  ZSH {
    @Override
    public String script(CommandLine main) {
      var lines = new ArrayList<>(List.of("#compdef flyball", "", "_flyball() {"));
      lines.add("  local -a commands");
      lines.add("  commands=(");
      main.getSubcommands()
          .forEach((name, command) -> lines.add("    " + zsh(name + ":" + about(command))));
      lines.addAll(
          List.of(
              "  )",
              "  if (( CURRENT == 2 )); then",
              "    _describe -t commands command commands",
              "    return",
              "  fi",
              "  shift words",
              "  (( CURRENT-- ))",
              "  case $words[1] in"));
      main.getSubcommands()
          .forEach(
              (name, command) -> {
                lines.add("    " + name + ")");
                lines.add("      _arguments -s \\");
                command.getCommandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> lines.addAll(zsh(option)));
                var words = words(name);
                lines.add(
                    words.isEmpty()
                        ? "        '*:file:_files'"
                        : "        '1:%s:(%s)'".formatted(name, String.join(" ", words)));
                lines.add("      ;;");
              });
      lines.addAll(List.of("  esac", "}", "", "_flyball \"$@\"", ""));
      return String.join("\n", lines);
    }
  },
  FISH {
    @Override
    public String script(CommandLine main) {
      var lines = new ArrayList<String>();
      var names = String.join(" ", main.getSubcommands().keySet());
      lines.add("complete -c flyball -n '__fish_use_subcommand' -f");
      main.getSubcommands()
          .forEach(
              (name, command) -> {
                lines.add(
                    "complete -c flyball -n 'not __fish_seen_subcommand_from %s' -a %s -d '%s'"
                        .formatted(names, name, quoted(about(command))));
                if (!words(name).isEmpty()) {
                  lines.add(
                      "complete -c flyball -n '__fish_seen_subcommand_from %s' -f -a '%s'"
                          .formatted(name, String.join(" ", words(name))));
                }
                command.getCommandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> lines.add(option(name, option)));
              });
      return String.join("\n", lines) + "\n";
    }
  };

  /** For all commands that there are. */
  public abstract String script(CommandLine main);

  private static String option(String command, OptionSpec option) {
    var line =
        new StringBuilder(
            "complete -c flyball -n '__fish_seen_subcommand_from %s'".formatted(command));
    Arrays.stream(option.names())
        .forEach(
            name ->
                line.append(name.startsWith("--") ? " -l " : " -s ")
                    .append(name.replaceFirst("^-+", "")));
    if (option.arity().max() > 0) {
      var choices = choices(option);
      line.append(choices.isEmpty() ? " -r" : " -x -a '" + String.join(" ", choices) + "'");
    }
    return line.append(" -d '")
        .append(quoted(HelpPage.text(option.description(), option)))
        .append('\'')
        .toString();
  }

  private static String about(CommandLine command) {
    var sentences = command.getCommandSpec().usageMessage().description();
    return sentences.length == 0 ? "" : sentences[0];
  }

  /** What a command takes instead of a file. */
  private static List<String> words(String command) {
    return switch (command) {
      case "completion" -> names();
      case "keys" -> List.of("add", "list", "revoke");
      default -> List.of();
    };
  }

  /** The values of an option, where its label lists them. */
  private static List<String> choices(OptionSpec option) {
    return option.paramLabel().contains("|")
        ? Arrays.stream(option.paramLabel().split("\\|", -1))
            .filter(word -> word.matches("[a-z0-9-]{2,}"))
            .toList()
        : List.of();
  }

  /** An option as zsh is told of it: each of its names, which exclude each other. */
  private static List<String> zsh(OptionSpec option) {
    var about = HelpPage.text(option.description(), option).replaceAll("([\\[\\]:\\\\])", "\\\\$1");
    var label = option.paramLabel().replaceAll("[\\[\\]:<>]", "");
    var choices = choices(option);
    var takes =
        option.arity().max() == 0
            ? ""
            : ":"
                + label
                + ":"
                + (choices.isEmpty() ? "_files" : "(" + String.join(" ", choices) + ")");
    var others = option.isMultiValue() ? "*" : "(" + String.join(" ", option.names()) + ")";
    return Arrays.stream(option.names())
        .map(
            name ->
                "        %s \\"
                    .formatted(
                        zsh(
                            others
                                + name
                                + (takes.isEmpty() || !name.startsWith("--") ? "" : "=")
                                + "["
                                + about
                                + "]"
                                + takes)))
        .toList();
  }

  /** In single quotes. */
  private static String zsh(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static String quoted(String text) {
    return text.replace("\\", "\\\\").replace("'", "\\'");
  }

  /** What can be asked for. */
  public static List<String> names() {
    return List.of("bash", "zsh", "fish");
  }
}
