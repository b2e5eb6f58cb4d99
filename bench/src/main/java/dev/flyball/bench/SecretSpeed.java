package dev.flyball.bench;

import dev.flyball.review.secret.Secrets;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The speed at which text is looked through for secrets: this project's own files with other names
 * in them, generated settings, and texts that were made to be slow; and what four times as much of
 * each takes.
 */
final class SecretSpeed {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int RUNS = 5;
  private static final double WANTED = 20;
  private static final List<String> HOSTILE =
      List.of(
          "# -----BEGIN PRIVATE KEY-----\n",
          "password=password=",
          "://a:b@",
          "eyJaaaaaaaaaaaa.eyJ",
          "sk-sk-",
          "kind: Secret\n",
          "token=\"");

  private SecretSpeed() {}

  static Optional<BenchReport> run(String[] args) throws IOException {
    int megabytes = args.length == 0 ? 8 : Integer.parseInt(args[0]);
    double before = Wire.load();
    var rows = new ArrayList<List<String>>();
    var house = Path.of(System.getProperty("flyball.house", ".."));
    var own = String.join("\n", Counting.texts(house, 1_000_000L * megabytes));
    rows.add(row("sources of this project", own));
    rows.add(row("generated settings", settings(1_000_000 * megabytes)));
    for (var piece : HOSTILE) {
      rows.add(
          row(
              "`" + piece.strip().replace("|", "¦") + "` again and again",
              piece.repeat(1_000_000 * megabytes / 4 / piece.length())));
    }
    return Optional.of(
        new BenchReport("Looking for secrets")
            .say(
                """
                `Secrets.in` on one thread, the best of %d runs, in processor time. The growth is \
                the time of all of the text by that of its first quarter: 4 is linear. Wanted: \
                %.0f MB a second of code.\
                """
                    .formatted(RUNS, WANTED))
            .table(List.of("text", "size", "found", "MB a second", "growth"), rows)
            .say("Load of the machine: %.1f before, %.1f after.".formatted(before, Wire.load())));
  }

  private static List<String> row(String name, String text) {
    double quarter = seconds(text.substring(0, text.length() / 4));
    double all = seconds(text);
    return List.of(
        name,
        "%.1f MB".formatted(text.length() / 1e6),
        "%,d".formatted(Secrets.in(text).size()),
        "%.0f".formatted(text.length() / 1e6 / all),
        "%.1f".formatted(all / quarter));
  }

  private static double seconds(String text) {
    double best = Double.MAX_VALUE;
    for (int i = 0; i < RUNS; i++) {
      long started = THREADS.getCurrentThreadCpuTime();
      Secrets.in(text);
      best = Math.min(best, (THREADS.getCurrentThreadCpuTime() - started) / 1e9);
    }
    return best;
  }

  /** Lines with telling names, of which one in a hundred has a value that was drawn. */
  private static String settings(int size) {
    var random = new SplittableRandom(3);
    var names = List.of("password", "apiKey", "timeout", "region", "token", "retries", "host");
    var text = new StringBuilder(size);
    while (text.length() < size) {
      var name = names.get(random.nextInt(names.size()));
      text.append(name.toUpperCase(Locale.ROOT)).append('_').append(text.length() % 97);
      text.append(random.nextBoolean() ? " = \"" : ": \"");
      text.append(
          random.nextInt(100) == 0 ? Long.toString(random.nextLong() >>> 1, 36) + "x9" : "value");
      text.append("\"\n");
    }
    return text.toString();
  }
}
