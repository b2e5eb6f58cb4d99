package dev.flyball.batch;

import dev.flyball.call.Priority;
import dev.flyball.run.RunBounds;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The work that a batch is asked to do.
 *
 * @param input a file that can be read at any place
 * @param output the file of answers, which is also the journal
 * @param model for lines that have only a prompt
 * @param maxTokens the longest answer, for the same lines
 * @param asIf a model that all lines are taken to ask, for the question what that would be like
 * @param bounds how far it may go
 * @param first only so many lines
 * @param ordered whether the answers are put into the order of the lines at the end
 * @param keepErrors whether what failed in an earlier run is not asked again
 * @param skipInvalid whether lines that cannot be sent are left out
 */
public record BatchSettings(
    Path input,
    Path output,
    Optional<String> model,
    OptionalLong maxTokens,
    Optional<String> asIf,
    RunBounds bounds,
    Priority priority,
    long first,
    Order order,
    boolean ordered,
    boolean keepErrors,
    boolean skipInvalid) {

  /** The order in which lines are asked. */
  public enum Order {
    FIFO,
    LONGEST_FIRST
  }

  /** All lines of a file, in their order, within the usual bounds. */
  public static BatchSettings of(Path input, Path output) {
    return new BatchSettings(
        input,
        output,
        Optional.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        RunBounds.USUAL,
        Priority.NORMAL,
        Long.MAX_VALUE,
        Order.FIFO,
        false,
        false,
        false);
  }

  /** The same for lines that have only a prompt. */
  public BatchSettings plain(Optional<String> defaultModel, OptionalLong longestAnswer) {
    return new BatchSettings(
        input,
        output,
        defaultModel,
        longestAnswer,
        asIf,
        bounds,
        priority,
        first,
        order,
        ordered,
        keepErrors,
        skipInvalid);
  }

  /** The same as if all lines asked one model, where one is named. */
  public BatchSettings asIf(Optional<String> everyModel) {
    return new BatchSettings(
        input,
        output,
        everyModel,
        maxTokens,
        everyModel,
        bounds,
        priority,
        first,
        order,
        ordered,
        keepErrors,
        skipInvalid);
  }

  /** The same within other bounds. */
  public BatchSettings within(RunBounds other) {
    return new BatchSettings(
        input,
        output,
        model,
        maxTokens,
        asIf,
        other,
        priority,
        first,
        order,
        ordered,
        keepErrors,
        skipInvalid);
  }

  /** The same of the first lines only. */
  public BatchSettings first(long lines) {
    return new BatchSettings(
        input,
        output,
        model,
        maxTokens,
        asIf,
        bounds,
        priority,
        lines,
        order,
        ordered,
        keepErrors,
        skipInvalid);
  }

  /** The same without lines that cannot be sent, if so. */
  public BatchSettings skipInvalid(boolean leftOut) {
    return new BatchSettings(
        input,
        output,
        model,
        maxTokens,
        asIf,
        bounds,
        priority,
        first,
        order,
        ordered,
        keepErrors,
        leftOut);
  }

  /** A file beside the answers: {@code answers.jsonl} has {@code answers.errors.jsonl}. */
  private Path beside(String ending) {
    var name = String.valueOf(output.getFileName());
    return output.resolveSibling(name.replaceFirst("\\.jsonl?$", "") + ending);
  }

  /** The file of lines that failed for good. */
  public Path errors() {
    return beside(".errors.jsonl");
  }

  /** The file that says, each second, how far it is. */
  public Path progress() {
    return beside(".progress.json");
  }
}
