package dev.flyball.cli.screen;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Somebody's word that a whole repository may be asked about, after its forecast was shown. */
public final class Confirmation {
  private Confirmation() {}

  /** Shows what it would take, and asks; where nobody is there to answer, the answer is no. */
  public static boolean given(List<String> forecast, PrintWriter out, PrintWriter err)
      throws IOException {
    forecast.forEach(out::println);
    out.flush();
    if (!Terminal.isThere()) {
      err.println(
          "flyball review: a whole repository has no budget of its own: say --budget-tokens,"
              + " --budget-usd, or --yes");
      return false;
    }
    out.print("Ask all of that? [y/N] ");
    out.flush();
    var answer = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
  }
}
