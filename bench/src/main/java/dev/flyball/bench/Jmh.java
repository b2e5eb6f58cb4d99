package dev.flyball.bench;

import static java.util.stream.Collectors.joining;

import dev.flyball.bench.wire.CpuTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** The JMH benchmarks, with JMH's own arguments and our own table. */
final class Jmh {
  private Jmh() {}

  static Optional<BenchReport> run(String[] args) throws Exception {
    var options = new CommandLineOptions(args);
    if (options.shouldHelp()
        || options.shouldList()
        || options.shouldListWithParams()
        || options.shouldListProfilers()
        || options.shouldListResultFormats()) {
      org.openjdk.jmh.Main.main(args);
      return Optional.empty();
    }
    var rows = new ArrayList<List<String>>();
    var withCpu = new OptionsBuilder().parent(options).addProfiler(CpuTime.class).build();
    for (var result : new Runner(withCpu).run()) {
      rows.add(row(result));
    }
    return Optional.of(
        new BenchReport("Admission and settling")
            .say(
                """
                One call through `admit` and `settle`, on a lane whose requests, input and output \
                tokens are paced and never bind. *sighting*: each reply tells all three levels. \
                *heard*: a listener is told every event. *felt*: nothing is stated, and the limiter that \
                is named is felt by being turned away, in virtual time; target 20,000 ns more than \
                without one. CPU is that of the whole process, so it \
                counts the collector and does not count others on the machine; the time on the \
                clock does. Targets, uncontended: below 1,000 ns, and at least 1 million a second \
                on one core.\
                """)
            .table(
                List.of("benchmark", "threads", "ns a call", "million a second", "CPU ns a call"),
                rows));
  }

  private static String parameters(RunResult result) {
    var params = result.getParams();
    return params.getParamsKeys().stream()
        .map(key -> " " + params.getParam(key))
        .collect(joining());
  }

  private static List<String> row(RunResult result) {
    var benchmark = result.getParams().getBenchmark();
    int threads = result.getParams().getThreads();
    var score = result.getPrimaryResult();
    boolean time = score.getScoreUnit().endsWith("/op");
    double micros = (time ? score.getScore() : threads / score.getScore());
    var error = String.format(" ± %.0f %%", 100 * score.getScoreError() / score.getScore());
    var cpu = result.getSecondaryResults().get(CpuTime.NAME);
    return List.of(
        benchmark.substring(benchmark.lastIndexOf('.') + 1) + parameters(result),
        String.valueOf(threads),
        String.format("%,.0f", 1_000 * micros) + (time ? error : ""),
        String.format("%.2f", threads / micros) + (time ? "" : error),
        cpu == null ? "" : String.format("%,.0f", cpu.getScore()));
  }
}
