package dev.flyball.forecast;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a repository's review uses models for, each part only if somebody configured it.
 *
 * @param lenses the model of each lens, by the lens's name, in order
 * @param deliberation settles what lenses disagree about
 * @param summary describes each function in words, so that words find it
 */
public record RepositorySteps(
    List<ReviewedFile> files,
    Map<String, Model> lenses,
    Optional<Model> deliberation,
    Optional<Model> summary,
    Optional<Embedding> embedding,
    Optional<Pages> pages) {

  /**
   * What is embedded to be found by its meaning.
   *
   * @param functions how many pieces of code there are
   */
  public record Embedding(
      Model code, Model text, long codeTokens, long textTokens, long functions) {}

  /** Pages of internal documentation: all anew, or brought up to date. */
  public record Pages(Model model, int count, boolean bootstrap) {}

  /** In the order in which they run. */
  public List<Step> steps() {
    var steps = new ArrayList<Step>();
    if (!files.isEmpty()) {
      lenses.forEach((name, model) -> steps.add(lens(name, model)));
    }
    if (!steps.isEmpty()) {
      deliberation.ifPresent(model -> steps.add(deliberation(model, List.copyOf(steps))));
    }
    if (embedding.isPresent()) {
      var embedded = embedding.get();
      if (summary.isPresent() && embedded.functions() > 0) {
        long said = embedded.functions() * Figures.SUMMARY_TOKENS_A_FUNCTION;
        var usage = Usage.of(embedded.codeTokens(), said);
        steps.add(Step.of(Step.Category.SUMMARY, "", summary.get(), embedded.functions(), usage));
      }
      steps.add(embed("code", embedded.code(), embedded.functions(), embedded.codeTokens()));
      steps.add(embed("text", embedded.text(), embedded.functions(), embedded.textTokens()));
    }
    pages.filter(some -> some.count() > 0).ifPresent(some -> steps.add(pages(some)));
    return steps;
  }

  /** The first call fills the cache and the others read it, if the question is long enough. */
  private Step lens(String name, Model model) {
    long calls = files.size();
    long content = files.stream().mapToLong(ReviewedFile::tokens).sum();
    long fresh = content + calls * Figures.FILE_OVERHEAD_TOKENS;
    long output = files.stream().mapToLong(ReviewedFile::outputTokens).sum();
    long system = Figures.SYSTEM_PROMPT_TOKENS;
    var usage =
        model.caches(system)
            ? new Usage(fresh, system * (calls - 1), system, output, Cost.NOTHING)
            : Usage.of(fresh + calls * system, output);
    return Step.of(Step.Category.AXIS, name, model, calls, usage);
  }

  private static Step deliberation(Model model, List<Step> lenses) {
    var all = lenses.stream().map(Step::usage).reduce(Usage.NONE, Usage::plus);
    var usage =
        new Usage(
            covered(all.input()),
            covered(all.cacheRead()),
            covered(all.cacheWrite()),
            covered(all.output()),
            Cost.NOTHING);
    long calls = covered(lenses.stream().mapToLong(Step::calls).sum());
    return Step.of(Step.Category.DELIBERATION, "", model, calls, usage);
  }

  private static long covered(long tokens) {
    return Math.round(tokens * Figures.DELIBERATION_COVERAGE);
  }

  private static Step embed(String name, Model model, long calls, long tokens) {
    return Step.of(Step.Category.EMBED, name, model, calls, Usage.of(tokens, 0));
  }

  private static Step pages(Pages pages) {
    var each = pages.bootstrap() ? Figures.NEW_PAGE : Figures.UPDATED_PAGE;
    long count = pages.count();
    var usage =
        new Usage(
            count * each.input(),
            count * each.cacheRead(),
            count * each.cacheWrite(),
            count * each.output(),
            Cost.NOTHING);
    var name = pages.bootstrap() ? "bootstrap" : "update";
    return Step.of(Step.Category.INTERNAL_DOC, name, pages.model(), count, usage);
  }
}
