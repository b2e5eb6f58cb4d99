package dev.flyball.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Cost;
import dev.flyball.call.Usage;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What a repository's review uses models for. */
class RepositoryStepsTest {
  private static final List<ReviewedFile> TEN = Collections.nCopies(10, new ReviewedFile(1_000, 2));
  private static final RepositorySteps NOTHING =
      new RepositorySteps(
          TEN, Map.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** A dollar for each million tokens of input, five of output, a tenth and 1.25 for the cache. */
  private static Optional<Cost> price(Usage used) {
    double micros =
        used.input() + 5.0 * used.output() + 0.1 * used.cacheRead() + 1.25 * used.cacheWrite();
    return Optional.of(new Cost(Math.round(Math.ceil(micros))));
  }

  private static Model model(String id, BillingMode mode, long smallest) {
    return new Model(id, mode, OptionalLong.of(smallest), RepositoryStepsTest::price);
  }

  private static final Model CACHING = model("caching", BillingMode.API, 512);

  private static RepositorySteps with(
      Map<String, Model> lenses,
      Optional<Model> deliberation,
      Optional<Model> summary,
      Optional<RepositorySteps.Embedding> embedding,
      Optional<RepositorySteps.Pages> pages) {
    return new RepositorySteps(TEN, lenses, deliberation, summary, embedding, pages);
  }

  private static RepositorySteps lenses(Model... models) {
    var lenses = new LinkedHashMap<String, Model>();
    for (var model : models) {
      lenses.put("lens-" + lenses.size(), model);
    }
    return with(lenses, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static Optional<RepositorySteps.Embedding> embedding(long functions) {
    return Optional.of(
        new RepositorySteps.Embedding(Model.local(), Model.local(), 9_000, 3_000, functions));
  }

  @Test
  void the_first_call_fills_the_cache_and_the_others_read_it() {
    var step = lenses(CACHING).steps().getFirst();
    assertThat(step.usage().input()).isEqualTo(10 * 1_000 + 10 * 50);
    assertThat(step.usage().cacheWrite()).isEqualTo(600);
    assertThat(step.usage().cacheRead()).isEqualTo(600 * 9);
    assertThat(step.usage().output()).isEqualTo(10 * 600);
    assertThat(step.calls()).isEqualTo(10);
    assertThat(step.approximate()).isFalse();
    assertThat(step.cost()).contains(new Cost(10_500 + 5 * 6_000 + 540 + 750));
  }

  @Test
  void a_question_shorter_than_the_smallest_prefix_is_paid_in_full_each_time() {
    var step = lenses(model("strict", BillingMode.API, 1_024)).steps().getFirst();
    assertThat(step.usage()).isEqualTo(Usage.of(10 * 1_650, 10 * 600));
  }

  @Test
  void so_it_is_where_nobody_knows_what_is_cached() {
    var unsure =
        new Model("unsure", BillingMode.API, OptionalLong.empty(), RepositoryStepsTest::price);
    assertThat(lenses(unsure).steps().getFirst().usage()).isEqualTo(Usage.of(16_500, 6_000));
  }

  @Test
  void a_deliberation_is_three_tenths_of_all_lenses() {
    var steps =
        with(
                Map.of("a", CACHING),
                Optional.of(CACHING),
                Optional.empty(),
                Optional.empty(),
                Optional.empty())
            .steps();
    assertThat(steps)
        .extracting(Step::category)
        .containsExactly(Step.Category.AXIS, Step.Category.DELIBERATION);
    var used = steps.getLast().usage();
    assertThat(used.input()).isEqualTo(3_150);
    assertThat(used.cacheRead()).isEqualTo(1_620);
    assertThat(used.cacheWrite()).isEqualTo(180);
    assertThat(used.output()).isEqualTo(1_800);
    assertThat(steps.getLast().approximate()).isTrue();
    assertThat(steps.getLast().name()).isEmpty();
  }

  @Test
  void a_summary_reads_the_code_and_says_two_hundred_tokens_a_function() {
    var steps =
        with(Map.of(), Optional.empty(), Optional.of(CACHING), embedding(30), Optional.empty())
            .steps();
    assertThat(steps)
        .extracting(Step::category)
        .containsExactly(Step.Category.SUMMARY, Step.Category.EMBED, Step.Category.EMBED);
    assertThat(steps.getFirst().usage()).isEqualTo(Usage.of(9_000, 6_000));
    assertThat(steps.getFirst().approximate()).isFalse();
  }

  @Test
  void without_a_function_nothing_is_summarised() {
    var steps =
        with(Map.of(), Optional.empty(), Optional.of(CACHING), embedding(0), Optional.empty())
            .steps();
    assertThat(steps).extracting(Step::name).containsExactly("code", "text");
  }

  @Test
  void embedding_on_this_machine_costs_nothing() {
    var steps =
        with(Map.of(), Optional.empty(), Optional.empty(), embedding(3), Optional.empty()).steps();
    assertThat(steps)
        .allSatisfy(
            step -> {
              assertThat(step.model()).isEqualTo("local");
              assertThat(step.mode()).isEqualTo(BillingMode.LOCAL);
              assertThat(step.cost()).contains(Cost.NOTHING);
              assertThat(step.approximate()).isFalse();
            });
    assertThat(steps).extracting(step -> step.usage().input()).containsExactly(9_000L, 3_000L);
  }

  @Test
  void pages_are_written_or_brought_up_to_date() {
    var fresh = new RepositorySteps.Pages(CACHING, 2, true);
    var step = pages(fresh).getFirst();
    assertThat(step.usage()).isEqualTo(new Usage(6_000, 14_000, 1_200, 7_000, Cost.NOTHING));
    assertThat(step.name()).isEqualTo("bootstrap");
    assertThat(step.approximate()).isTrue();
    var update = pages(new RepositorySteps.Pages(CACHING, 3, false)).getFirst();
    assertThat(update.usage()).isEqualTo(new Usage(6_000, 12_000, 1_800, 6_000, Cost.NOTHING));
    assertThat(update.name()).isEqualTo("update");
  }

  private static List<Step> pages(RepositorySteps.Pages pages) {
    return with(Map.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(pages))
        .steps();
  }

  @Test
  void nothing_that_is_not_configured_is_a_step() {
    assertThat(NOTHING.steps()).isEmpty();
    assertThat(pages(new RepositorySteps.Pages(CACHING, 0, true))).isEmpty();
    var noLens =
        with(
            Map.of(),
            Optional.of(CACHING),
            Optional.of(CACHING),
            Optional.empty(),
            Optional.empty());
    assertThat(noLens.steps()).isEmpty();
  }

  @Test
  void steps_come_in_the_order_in_which_they_run() {
    var all =
        with(
                Map.of("a", CACHING),
                Optional.of(CACHING),
                Optional.of(CACHING),
                embedding(3),
                Optional.of(new RepositorySteps.Pages(CACHING, 1, true)))
            .steps();
    assertThat(all)
        .extracting(step -> step.category().toString())
        .containsExactly("axis", "deliberation", "summary", "embed", "embed", "internal-doc");
    assertThat(all)
        .filteredOn(Step::approximate)
        .extracting(Step::category)
        .containsExactly(Step.Category.DELIBERATION, Step.Category.INTERNAL_DOC);
  }

  @Test
  void without_files_there_are_no_lenses() {
    var empty =
        new RepositorySteps(
            List.of(),
            Map.of("a", CACHING),
            Optional.of(CACHING),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    assertThat(empty.steps()).isEmpty();
  }

  @Test
  void only_what_is_paid_by_the_token_is_billed() {
    var steps = lenses(CACHING, model("flat", BillingMode.SUBSCRIPTION, 512)).steps();
    long each = steps.getFirst().cost().orElseThrow().micros();
    assertThat(Step.consumption(steps)).contains(new Cost(2 * each));
    assertThat(Step.billed(steps)).contains(new Cost(each));
  }

  @Test
  void an_unknown_price_is_not_a_price_of_nothing() {
    var unknown = new Model("new", BillingMode.API, OptionalLong.empty(), used -> Optional.empty());
    var steps = lenses(CACHING, unknown).steps();
    assertThat(Step.consumption(steps)).isEmpty();
    assertThat(Step.billed(steps)).isEmpty();
    var flat =
        new Model("new", BillingMode.SUBSCRIPTION, OptionalLong.empty(), used -> Optional.empty());
    assertThat(Step.billed(lenses(CACHING, flat).steps())).isPresent();
  }
}
