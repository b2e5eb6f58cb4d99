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
      return "#compdef flyball\nautoload -U +X bashcompinit && bashcompinit\n"
          + AutoComplete.bash("flyball", main);
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
                var about = command.getCommandSpec().usageMessage().description();
                lines.add(
                    "complete -c flyball -n 'not __fish_seen_subcommand_from %s' -a %s -d '%s'"
                        .formatted(names, name, quoted(about.length == 0 ? "" : about[0])));
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
      line.append(" -r");
    }
    return line.append(" -d '")
        .append(quoted(HelpPage.text(option.description(), option)))
        .append('\'')
        .toString();
  }

  private static String quoted(String text) {
    return text.replace("\\", "\\\\").replace("'", "\\'");
  }

  /** What can be asked for. */
  public static List<String> names() {
    return List.of("bash", "zsh", "fish");
  }
}
