package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.review.ask.ModelEffort;
import dev.flyball.review.plan.PlanRequest.TestDepth;
import dev.flyball.review.plan.ReviewMode;
import dev.flyball.review.run.ReviewSettings;
import dev.flyball.run.RunBounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say what a review asks, and how much it may use. */
public final class PlanOptions {
  private static final long SHORTEST_OUTPUT = 256;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--fast-model",
      paramLabel = "NAME",
      description = "The model for simpler lenses; --model is for the others.")
  private @Nullable String fastModel;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--lead-model",
      paramLabel = "NAME",
      description =
          "The model for what spans a whole review: the pass across its parts, the second look,"
              + " contradictions. Default: that of --model")
  private @Nullable String leadModel;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--max-output",
      paramLabel = "TOKENS",
      description =
          "Longest answer in tokens, not counting what the model thinks first. Default: 8000")
  private @Nullable Long maxOutput;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--effort",
      paramLabel = "low|medium|high",
      description =
          "How much models think before they answer, where they can. Default: the model's own")
  private @Nullable String effort;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--tests",
      paramLabel = "light|full|none",
      defaultValue = "light",
      description =
          "Which lenses see test files: security and correctness (light), all (full) or none."
              + " Default: ${DEFAULT-VALUE}")
  private String tests;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--verify",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Take a second look at critical and major findings and try to refute them. Default: on")
  private boolean verify;

  @SetBy(Who.USER)
  @Option(
      names = "--purpose",
      paramLabel = "FILE",
      description =
          "A file that says what a change is for, such as the text of its pull request; commit"
              + " messages are read anyway.")
  private @Nullable Path purpose;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--lenses",
      paramLabel = "NAMES",
      split = ",",
      description =
          "Only these lenses, such as security,tests; `flyball review --plan` lists them.")
  private List<String> lenses = new ArrayList<>();

  @SetBy(Who.PROJECT)
  @Option(
      names = "--mode",
      paramLabel = "auto|sequential|parallel|incremental|chunked",
      defaultValue = "auto",
      description = "How a change is split up; auto goes by its size. Default: ${DEFAULT-VALUE}")
  private String mode;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--budget-tokens",
      paramLabel = "N",
      description =
          "Stop before more tokens than this are used. Default for a change: what its plan needs"
              + " and a quarter more, from 100000 to 1000000")
  private @Nullable Long budgetTokens;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--reserve",
      paramLabel = "PERCENT",
      defaultValue = "20",
      description =
          "Percentage of the budget kept for required lenses and retries."
              + " Default: ${DEFAULT-VALUE}")
  private int reserve;

  @SetBy(Who.PROJECT)
  @Option(
      names = "--samples",
      paramLabel = "1|2",
      defaultValue = "1",
      description =
          "How often each question is asked; findings made twice are more certain. Default:"
              + " ${DEFAULT-VALUE}")
  private int samples;

  /** All of them with those beside, refused if they cannot be. */
  public ReviewSettings settings(Optional<String> model, RunBounds bounds, boolean deliberate) {
    return new ReviewSettings(
        new ReviewSettings.Models(
            model,
            Optional.ofNullable(fastModel),
            Optional.ofNullable(leadModel),
            maxOutput(),
            Optional.ofNullable(effort).map(it -> read("--effort", ModelEffort::of, it))),
        lenses,
        mode(),
        bounds.tokens(budget()),
        reserve(),
        samples(),
        deliberate,
        verify,
        read("--tests", TestDepth::of, tests),
        purpose());
  }

  private <T> T read(String option, Function<String, T> reader, String word) {
    try {
      return reader.apply(word);
    } catch (IllegalArgumentException no) {
      throw new ParameterException(spec.commandLine(), option + ": " + no.getMessage(), no);
    }
  }

  private OptionalLong maxOutput() {
    if (maxOutput == null) {
      return OptionalLong.empty();
    }
    if (maxOutput < SHORTEST_OUTPUT) {
      throw new ParameterException(
          spec.commandLine(),
          "--max-output: must be at least %d, not %d".formatted(SHORTEST_OUTPUT, maxOutput));
    }
    return OptionalLong.of(maxOutput);
  }

  private String purpose() {
    if (purpose == null) {
      return "";
    }
    try {
      return Files.readString(purpose);
    } catch (IOException unreadable) {
      throw new ParameterException(
          spec.commandLine(), "--purpose: %s cannot be read".formatted(purpose), unreadable);
    }
  }

  private Optional<ReviewMode> mode() {
    return mode.equals("auto")
        ? Optional.empty()
        : Optional.of(read("--mode", ReviewMode::of, mode));
  }

  private OptionalLong budget() {
    if (budgetTokens == null) {
      return OptionalLong.empty();
    }
    if (budgetTokens < 1) {
      throw new ParameterException(
          spec.commandLine(), "--budget-tokens: must be at least 1, not " + budgetTokens);
    }
    return OptionalLong.of(budgetTokens);
  }

  /** Whether somebody said how much it may use. */
  boolean isBounded() {
    return budgetTokens != null;
  }

  private int samples() {
    if (samples < 1 || samples > 2) {
      throw new ParameterException(spec.commandLine(), "--samples: must be 1 or 2, not " + samples);
    }
    return samples;
  }

  private int reserve() {
    if (reserve < 0 || reserve > 99) {
      throw new ParameterException(
          spec.commandLine(), "--reserve: must be 0 to 99, not " + reserve);
    }
    return reserve;
  }
}
