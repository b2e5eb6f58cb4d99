package dev.flyball.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.run.ExitCode;
import dev.flyball.run.ProviderChoice;
import dev.flyball.run.RunSetup;
import dev.flyball.run.config.ConfigFiles;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A batch as a program runs it that is no command: through the front doors alone. */
final class BatchTest {
  @TempDir Path folder;

  private Path questions(int count) throws Exception {
    var lines =
        IntStream.rangeClosed(1, count)
            .mapToObj(i -> "{\"prompt\": \"What is %d squared?\"}".formatted(i))
            .collect(Collectors.joining("\n", "", "\n"));
    return Files.writeString(folder.resolve("in.jsonl"), lines);
  }

  private Map<String, String> environment() {
    return Map.of("XDG_STATE_HOME", folder.resolve("state").toString());
  }

  @Test
  void a_program_runs_a_batch_and_runs_it_again() throws Exception {
    var settings =
        BatchSettings.of(questions(20), folder.resolve("out.jsonl"))
            .plain(Optional.of("claude-sonnet-5"), OptionalLong.of(50));
    try (var simulator = Simulator.start(Settings.of("unlimited"), 0);
        var setup =
            RunSetup.of(environment(), ConfigFiles.NONE)
                .provider(ProviderChoice.of("anthropic").at(simulator.uri().toString()))
                .open()) {
      try (var batch = Batch.prepare(setup, settings)) {
        var ended = batch.run("in.jsonl", (report, trouble) -> {});
        assertThat(ended.report().completed()).isEqualTo(20);
        assertThat(ended.report().exit()).isEqualTo(ExitCode.DONE);
      }
      try (var batch = Batch.prepare(setup, settings)) {
        assertThat(batch.left()).isZero();
      }
      assertThat(simulator.stats().admitted()).isEqualTo(20);
    }
    assertThat(Files.readAllLines(folder.resolve("out.jsonl"))).hasSize(20);
  }

  @Test
  void a_program_estimates_a_batch_without_a_key_or_a_network() throws Exception {
    var settings =
        BatchSettings.of(questions(60), folder.resolve("out.jsonl"))
            .plain(Optional.of("claude-sonnet-5"), OptionalLong.of(50));
    try (var setup =
            RunSetup.of(environment(), ConfigFiles.NONE)
                .provider(ProviderChoice.simulated())
                .sendsNothing()
                .open();
        var batch = Batch.prepare(setup, settings)) {
      var estimation = batch.estimate(Optional.empty());
      assertThat(estimation.calls()).isEqualTo(60);
      assertThat(estimation.forecast().median()).isPositive();
      assertThat(estimation.most()).isPresent();
    }
    assertThat(folder.resolve("out.jsonl")).doesNotExist();
  }
}
