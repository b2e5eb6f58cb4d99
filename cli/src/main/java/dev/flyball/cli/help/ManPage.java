package dev.flyball.cli.help;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;

/** A command's page of the manual, in the language of troff. */
public final class ManPage {
  private final CommandSpec command;
  private final String version;

  public ManPage(CommandSpec command, String version) {
    this.command = command;
    this.version = version;
  }

  public List<String> lines() {
    var lines = new ArrayList<String>();
    var name = command.qualifiedName("-");
    lines.add(".TH \"%s\" 1 \"\" \"flyball %s\"".formatted(name.toUpperCase(Locale.ROOT), version));
    lines.add(".SH NAME");
    var description = command.usageMessage().description();
    lines.add(escaped(name + " - " + description[0]));
    lines.add(".SH SYNOPSIS");
    lines.add(escaped(HelpPage.synopsis(command)));
    lines.add(".SH DESCRIPTION");
    for (var sentence : description) {
      lines.add(escaped(sentence));
    }
    HelpPage.groups(command)
        .forEach(
            (group, options) -> {
              lines.add(".SH \"" + group.toUpperCase(Locale.ROOT) + "\"");
              options.forEach(
                  option -> {
                    lines.add(".TP");
                    lines.add(".B " + escaped(HelpPage.names(option)));
                    lines.add(escaped(HelpPage.text(option.description(), option)));
                  });
            });
    var examples = HelpPage.examples(command);
    if (!examples.isEmpty()) {
      lines.add(".SH EXAMPLES");
      literal(lines, examples);
    }
    var notes = List.of(command.usageMessage().footer());
    if (!notes.isEmpty()) {
      lines.add(".SH NOTES");
      literal(lines, notes);
    }
    return lines;
  }

  private static void literal(List<String> lines, List<String> text) {
    lines.add(".nf");
    text.forEach(each -> lines.add(escaped(each)));
    lines.add(".fi");
  }

  private static String escaped(String text) {
    var plain = text.replace("\\", "\\e").replace("-", "\\-");
    return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
  }
}
