package dev.flyball.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.call.DurationText;
import dev.flyball.cli.help.Examples;
import dev.flyball.review.finding.SafeText;
import dev.flyball.run.ExitCode;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball status}: how far a run is, read from what it writes beside its answers. */
@Command(
    name = "status",
    description = {
      "Shows the progress of batches whose answers go into this folder, from another terminal."
    },
    footer = {"", "Exit codes: 0, or 2 if there is no such run."})
@Examples({"flyball status", "flyball status answers.jsonl"})
final class ShowStatus implements Callable<Integer> {
  private static final String SUFFIX = ".progress.json";
  private static final Duration QUIET = Duration.ofSeconds(5);

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Parameters(
      paramLabel = "OUT.jsonl",
      arity = "0..1",
      description = "The output file of one run. Default: all runs of this folder.")
  private @Nullable String output;

  @Override
  public Integer call() throws IOException {
    var out = spec.commandLine().getOut();
    var files = files();
    if (files.isEmpty()) {
      out.println("no run has its answers in this folder");
    }
    for (var file : files) {
      out.println(line(file));
    }
    return ExitCode.DONE.code();
  }

  private List<Path> files() throws IOException {
    var folder = main.config().folder().toAbsolutePath();
    if (output != null) {
      var file = folder.resolve(output.replaceFirst("\\.jsonl?$", "") + SUFFIX);
      if (!Files.isRegularFile(file)) {
        throw new ParameterException(
            spec.commandLine(),
            "no run writes to " + output + ": there is no " + file.getFileName());
      }
      return List.of(file);
    }
    var found = new ArrayList<Path>();
    try (var all = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      all.forEach(found::add);
    }
    found.sort(null);
    return found;
  }

  private static String line(Path file) throws IOException {
    JsonNode run = new ObjectMapper().readTree(file.toFile());
    var name = file.getFileName().toString().replace(SUFFIX, "");
    var age = Duration.between(Files.getLastModifiedTime(file).toInstant(), Time.system().wall());
    long total = run.path("total").asLong();
    long left = run.path("remaining").asLong();
    var state =
        left == 0
            ? "done"
            : age.compareTo(QUIET) < 0
                ? "running"
                : "stopped %s ago".formatted(DurationText.of(age));
    return "%s: %s, %,d of %,d answered, %,d failed, %,d rate-limited (429)"
        .formatted(
            SafeText.line(name),
            state,
            run.path("completed").asLong(),
            total,
            run.path("errored").asLong(),
            run.path("throttled").asLong());
  }
}
