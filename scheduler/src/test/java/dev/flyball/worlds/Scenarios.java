package dev.flyball.worlds;

import static dev.flyball.call.Dimension.INPUT_TOKENS;
import static dev.flyball.call.Dimension.OUTPUT_TOKENS;
import static dev.flyball.call.Dimension.REQUESTS;
import static dev.flyball.call.Dimension.TOKENS;

import dev.flyball.call.Priority;
import dev.flyball.call.Tenant;
import java.util.List;
import java.util.stream.IntStream;

/** The providers that promises are made about, and the promises. */
public final class Scenarios {
  /**
   * One promise.
   *
   * @param ratio × the least possible time, at most, in the median
   * @param throttles 429s, at most, in the median
   */
  public record Row(Scenario scenario, List<Job> jobs, double ratio, int throttles) {
    @Override
    public String toString() {
      return scenario.name();
    }
  }

  private static final TrueLimit TEN_A_SECOND = TrueLimit.bucket(REQUESTS, 10, 10);
  private static final TrueLimit MINUTE_BUCKET = TrueLimit.bucket(REQUESTS, 10, 600);
  private static final int ANY = Integer.MAX_VALUE;

  public static final List<Row> ROWS =
      List.of(
          row(1.03, 3, jobs(300), Scenario.of("full headers", Style.FULL, 0.2, TEN_A_SECOND)),
          row(
              1.05,
              10,
              jobs(300),
              Scenario.of("retry-after only", Style.RETRY_AFTER, 0.2, TEN_A_SECOND)),
          row(1.25, 8, jobs(60), Scenario.of("nothing at all", Style.NONE, 0.2, TEN_A_SECOND)),
          row(
              1.05,
              5,
              jobs(300),
              Scenario.of("wrong advertised burst", Style.WRONG_BURST, 0.2, TEN_A_SECOND)),
          row(
              1.03,
              3,
              jobs(150),
              Scenario.of(
                  "token-bound",
                  Style.FULL,
                  0.2,
                  TrueLimit.bucket(REQUESTS, 100, 100),
                  TrueLimit.bucket(TOKENS, 5_000, 5_000))),
          row(
              1.05,
              3,
              jobs(300),
              Scenario.of("40 % foreign use", Style.FULL, 0.2, TEN_A_SECOND).foreign(0.4, false)),
          row(
              1.05,
              15,
              jobs(300),
              Scenario.of("40 % foreign use, unsteady", Style.FULL, 0.2, TEN_A_SECOND)
                  .foreign(0.4, true)),
          row(
              1.08,
              3,
              IntStream.range(0, 150).mapToObj(i -> Job.of(i, 200, 250)).toList(),
              Scenario.of(
                  "output-bound, rounded to thousands",
                  Style.ROUNDED,
                  2,
                  TrueLimit.bucket(REQUESTS, 50 / 60.0 * 4, 200),
                  TrueLimit.bucket(INPUT_TOKENS, 500, 30_000),
                  TrueLimit.bucket(OUTPUT_TOKENS, 8_000 / 60.0, 8_000).debitedAsProduced())),
          row(
              1.25,
              3,
              IntStream.range(0, 60).mapToObj(i -> Job.of(i, 20, 20 + 37 * i % 383)).toList(),
              Scenario.of(
                  "a small account, answers of any length",
                  Style.ROUNDED,
                  2.5,
                  TrueLimit.bucket(REQUESTS, 50 / 60.0, 50),
                  TrueLimit.bucket(INPUT_TOKENS, 500, 30_000),
                  TrueLimit.bucket(OUTPUT_TOKENS, 8_000 / 60.0, 8_000).debitedAsProduced())),
          row(
              1.15,
              0,
              IntStream.range(0, 60).mapToObj(Scenarios::question).toList(),
              Scenario.of(
                  "a small account, long answers first",
                  Style.ROUNDED,
                  2.9,
                  TrueLimit.bucket(REQUESTS, 50 / 60.0, 50),
                  TrueLimit.bucket(INPUT_TOKENS, 500, 30_000),
                  TrueLimit.bucket(OUTPUT_TOKENS, 8_000 / 60.0, 8_000).debitedAsProduced())),
          row(
              1.1,
              ANY,
              jobs(1400),
              Scenario.of(
                  "fixed window", Style.FULL, 0.2, MINUTE_BUCKET.startingAt(300).inWindows(60))),
          row(
              1.2,
              ANY,
              jobs(1200),
              Scenario.of("8 s answers on a minute bucket", Style.FULL, 8, MINUTE_BUCKET)),
          row(
              1.02,
              3,
              jobs(1800),
              Scenario.of("minute bucket of 600", Style.FULL, 0.2, MINUTE_BUCKET)));

  private Scenarios() {}

  private static Row row(double ratio, int throttles, List<Job> jobs, Scenario scenario) {
    return new Row(scenario.jitter(0.3), jobs, ratio, throttles);
  }

  /** An answer of up to 250 tokens, which takes as long as it is; the first twenty are long. */
  private static Job question(int number) {
    long output = Math.min(250, 70 + (7 * number + 200) % 330);
    var job = new Job("job-" + number, 13, output, 250, 1, 0, Tenant.ONLY, Priority.NORMAL);
    return job.slower(output / 190.0);
  }

  private static List<Job> jobs(int count) {
    return IntStream.range(0, count).mapToObj(i -> Job.of(i, 570, 400)).toList();
  }
}
