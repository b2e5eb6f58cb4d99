package dev.flyball.bench.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What wrk saw in one slice.
 *
 * @param p50 in milliseconds
 * @param p99 in milliseconds
 * @param requests how many were answered
 * @param failed how many were not, or not well
 */
record WrkRun(double perSecond, double p50, double p99, long requests, long failed) {
  private static final Pattern RATE = Pattern.compile("Requests/sec: +([\\d.]+)");
  private static final Pattern COUNT = Pattern.compile("(\\d+) requests in");
  private static final Pattern HALF = Pattern.compile("50% +([\\d.]+)(us|ms|s)");
  private static final Pattern MOST = Pattern.compile("99% +([\\d.]+)(us|ms|s)");
  private static final Pattern BAD = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
  private static final Pattern SOCKETS =
      Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");

  static WrkRun of(int connections, int seconds, String script, int port)
      throws IOException, InterruptedException {
    var command =
        List.of(
            "wrk",
            "-t1",
            "-c" + connections,
            "-d" + seconds + "s",
            "--timeout",
            "30s",
            "--latency",
            "-s",
            script,
            "http://127.0.0.1:" + port);
    var wrk = new ProcessBuilder(command).redirectErrorStream(true).start();
    var text = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    wrk.waitFor();
    long failed = (long) number(BAD, text);
    var sockets = SOCKETS.matcher(text);
    if (sockets.find()) {
      for (int i = 1; i <= sockets.groupCount(); i++) {
        failed += Long.parseLong(sockets.group(i));
      }
    }
    return new WrkRun(
        number(RATE, text),
        millis(HALF, text),
        millis(MOST, text),
        (long) number(COUNT, text),
        failed);
  }

  private static double number(Pattern what, String text) {
    var found = what.matcher(text);
    return found.find() ? Double.parseDouble(found.group(1)) : 0;
  }

  private static double millis(Pattern what, String text) {
    var found = what.matcher(text);
    if (!found.find()) {
      return 0;
    }
    double value = Double.parseDouble(found.group(1));
    return switch (found.group(2)) {
      case "us" -> value / 1e3;
      case "s" -> value * 1e3;
      default -> value;
    };
  }
}
