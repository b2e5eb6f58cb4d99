package dev.flyball.cli.screen;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Somebody's word that something may be done that costs money or cannot be undone. */
public final class Confirmation {
  private Confirmation() {}

  /** Shows what it would take, and asks; where nobody is there to answer, the answer is no. */
  public static boolean given(List<String> forecast, PrintWriter out, PrintWriter err)
      throws IOException {
    forecast.forEach(out::println);
    out.flush();
    if (!TerminalTraits.isTerminal(TerminalTraits.Channel.IN)) {
      err.println(
          "flyball review: reviewing a whole repository needs --budget-tokens, --budget-usd or"
              + " --yes");
      return false;
    }
    return given("Send all of this? [y/N] ", out);
  }

  /** Asks; where nobody is there to answer, the answer is no. */
  public static boolean given(String question, PrintWriter out) throws IOException {
    if (!TerminalTraits.isTerminal(TerminalTraits.Channel.IN)) {
      return false;
    }
    out.print(question);
    out.flush();
    var answer = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
  }
}
