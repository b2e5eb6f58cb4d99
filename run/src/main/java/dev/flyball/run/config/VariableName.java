package dev.flyball.run.config;

import java.util.regex.Pattern;

/** The name of an environment variable, where somebody may have put a key by mistake. */
public final class VariableName {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern NO_KEY =
      Pattern.compile("[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|[A-Za-z_]{1,16}");

  private VariableName() {}

  /** Whether a word can be one at all. */
  public static boolean is(String word) {
    return NAME.matcher(word).matches();
  }

  /** The name, unless it looks more like a key than like a name. */
  public static String shown(String word) {
    return NO_KEY.matcher(word).matches() ? word : "[not shown: it may be a key]";
  }
}
