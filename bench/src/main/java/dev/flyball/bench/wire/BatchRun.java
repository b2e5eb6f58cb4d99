package dev.flyball.bench.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.simulator.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** {@code flyball batch} over the calls of a row, against a simulator that nobody has used. */
public final class BatchRun {
  private final WireRow row;
  private final Path folder;

  public BatchRun(WireRow row, Path folder) {
    this.row = row;
    this.folder = folder;
  }

  public WireTrial run() throws IOException, InterruptedException {
    var input = folder.resolve("calls.jsonl");
    Files.write(input, IntStream.range(0, row.calls()).mapToObj(row.ask()::line).toList());
    try (var simulator = Simulator.start(row.account().get(), 0)) {
      var command = new Command(folder);
      long started = System.nanoTime();
      int exit = command.start(Map.of(), arguments(simulator)).waitFor();
      double process = (System.nanoTime() - started) / 1e9;
      if (!Files.exists(report())) {
        throw new IOException("the command ended with " + exit + ": " + command.said());
      }
      double wall = read().path("wallSeconds").asDouble();
      return new WireTrial(wall, process - wall, answers(), Judgement.of(simulator));
    }
  }

  private String[] arguments(Simulator simulator) {
    var arguments =
        new ArrayList<>(
            List.of(
                "batch",
                "calls.jsonl",
                "-o",
                answersFile().toString(),
                "--base-url",
                simulator.uri().toString(),
                "--progress",
                "none",
                "--report",
                report().toString()));
    row.ask()
        .answer()
        .ifPresent(
            tokens -> arguments.addAll(List.of("--header", BenchRequest.LENGTH + "=" + tokens)));
    return arguments.toArray(String[]::new);
  }

  private Path answersFile() {
    return folder.resolve("answers.jsonl");
  }

  private Path report() {
    return folder.resolve("report.json");
  }

  /** What the command says of itself. */
  public JsonNode read() throws IOException {
    return new ObjectMapper().readTree(report().toFile());
  }

  /** Different calls that have an answer. */
  private long answers() throws IOException {
    try (var lines = Files.lines(answersFile())) {
      return lines
          .map(Judgement::line)
          .map(line -> line.path("custom_id").asText())
          .distinct()
          .count();
    }
  }
}
