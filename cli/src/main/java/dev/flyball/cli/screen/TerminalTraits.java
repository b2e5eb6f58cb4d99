package dev.flyball.cli.screen;

import java.util.Locale;
import java.util.Map;

/**
 * What may be written to one of the process's streams, by what it is and by what its user's
 * environment says.
 *
 * @param live lines may be drawn over
 * @param colours text may be painted
 */
public record TerminalTraits(boolean live, boolean colours) {
  /** A stream of the process. */
  public enum Channel {
    IN('0'),
    OUT('1'),
    ERR('2');

    private final char digit;

    Channel(char digit) {
      this.digit = digit;
    }
  }

  /** Set by the launcher: the digits of the streams that are terminals, after a letter. */
  private static final String TERMINALS = "flyball.terminals";

  public static TerminalTraits of(Channel channel, Map<String, String> environment) {
    return of(isTerminal(channel), environment);
  }

  /** The same of a stream that is a terminal, or is none. */
  static TerminalTraits of(boolean terminal, Map<String, String> environment) {
    boolean steered = terminal && canBeSteered(environment);
    return new TerminalTraits(steered && !isSet(environment, "CI"), colours(steered, environment));
  }

  private static boolean colours(boolean steered, Map<String, String> environment) {
    if (!environment.getOrDefault("NO_COLOR", "").isEmpty()) {
      return false;
    }
    return isSet(environment, "CLICOLOR_FORCE")
        || (steered && !environment.getOrDefault("CLICOLOR", "1").equals("0"));
  }

  private static boolean isSet(Map<String, String> environment, String name) {
    var value = environment.getOrDefault(name, "").toLowerCase(Locale.ROOT);
    return !value.isEmpty() && !value.equals("0") && !value.equals("false");
  }

  /** A dumb terminal, and an old console of Windows, would show the sequences themselves. */
  private static boolean canBeSteered(Map<String, String> environment) {
    var name = environment.getOrDefault("TERM", "");
    return name.isEmpty()
        ? environment.containsKey("WT_SESSION") || environment.containsKey("ConEmuANSI")
        : !name.equals("dumb");
  }

  /** Whether somebody sits there. */
  // The launcher asks for the console of java.base, which is there only if there is a terminal.
  @SuppressWarnings("SystemConsoleNull")
  public static boolean isTerminal(Channel channel) {
    var said = System.getProperty(TERMINALS);
    return said != null ? said.indexOf(channel.digit) >= 0 : System.console() != null;
  }

  /** Whether the user's locale has no more than plain letters. */
  public static boolean isPlain(Map<String, String> environment) {
    for (var name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      var value = environment.getOrDefault(name, "").toLowerCase(Locale.ROOT);
      if (!value.isEmpty()) {
        return !value.contains("utf-8") && !value.contains("utf8");
      }
    }
    return false;
  }
}
