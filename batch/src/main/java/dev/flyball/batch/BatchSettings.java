package dev.flyball.batch;

import dev.flyball.call.Cost;
import dev.flyball.call.Priority;
import dev.flyball.llm.Dialect;
import dev.flyball.run.Destination;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What a run is asked to do.
 *
 * @param input a file that can be read at any place
 * @param destinations where requests of a dialect go, if anywhere; asked only for those there are
 * @param model for lines that have only a prompt
 * @param asIf a model that all lines are taken to ask, for the question what that would be like
 * @param spoken the dialect of such lines, where the provider speaks only one
 * @param concurrency the most attempts at one time; empty leaves it to the scheduler
 * @param profile limits that are known beforehand
 * @param deadline after which nothing starts
 * @param first only so many lines
 */
public record BatchSettings(
    Path input,
    Path output,
    Function<Dialect, Optional<Destination>> destinations,
    boolean simulated,
    Optional<String> model,
    OptionalLong maxTokens,
    Optional<String> asIf,
    Optional<Dialect> spoken,
    OptionalInt concurrency,
    Optional<String> profile,
    OptionalLong budgetTokens,
    Optional<Cost> budgetMoney,
    int maxRetries,
    Duration maxWait,
    Optional<Duration> deadline,
    Priority priority,
    long first,
    Order order,
    boolean ordered,
    boolean keepErrors,
    boolean skipInvalid) {

  /** In which order lines are asked. */
  public enum Order {
    FIFO,
    LONGEST_FIRST
  }

  InputLine.Plain plain() {
    return new InputLine.Plain(model, maxTokens, spoken, asIf);
  }

  /** A file beside the answers: {@code answers.jsonl} has {@code answers.errors.jsonl}. */
  Path beside(String ending) {
    var name = String.valueOf(output.getFileName());
    return output.resolveSibling(name.replaceFirst("\\.jsonl?$", "") + ending);
  }

  public Path errors() {
    return beside(".errors.jsonl");
  }

  Path index() {
    return beside(".index");
  }

  public Path progress() {
    return output.resolveSibling("progress.json");
  }
}
