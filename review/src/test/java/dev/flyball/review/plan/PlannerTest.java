package dev.flyball.review.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.llm.token.TokenCounter;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lens.SubjectKind;
import dev.flyball.review.lens.Lenses;
import dev.flyball.review.select.Subject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlannerTest {
  private static final PromptRoom ROOM =
      new PromptRoom(PromptRoom.USUAL_INPUT, PromptRoom.USUAL_OUTPUT, Integer.MAX_VALUE);

  @TempDir private Path folder;

  private static PlanRequest request(SubjectKind subject, OptionalLong budget) {
    return request(Lenses.ours().of(subject), budget, Optional.empty());
  }

  private static PlanRequest request(
      List<Lens> lenses, OptionalLong budget, Optional<ReviewMode> mode) {
    var measure = new TokenMeasure(new TokenCounter(Map.of()), "model-a", "model-b");
    return new PlanRequest(
        measure,
        lenses,
        mode,
        budget,
        20,
        1,
        PlanRequest.TestDepth.LIGHT,
        "",
        Map.of(Lens.Tier.DEEP, ROOM, Lens.Tier.FAST, ROOM, Lens.Tier.LEAD, ROOM));
  }

  private static ReviewPlan plan(Subject subject, PlanRequest request) throws Exception {
    return Planner.plan(subject, request, DigestStore.empty(), SubjectReading.Progress.NONE);
  }

  private Subject patch(String patch) throws Exception {
    return Subject.patch(
        "patch", new ByteArrayInputStream(patch.getBytes(StandardCharsets.UTF_8)), folder);
  }

  private static String added(String path, int lines) {
    var patch =
        new StringBuilder("diff --git a/%s b/%s\nnew file mode 100644\n".formatted(path, path));
    patch.append("--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n".formatted(path, lines));
    for (int i = 0; i < lines; i++) {
      patch.append("+int number").append(i).append(" = compute(").append(i).append(");\n");
    }
    return patch.toString();
  }

  private static String files(int count, int lines) {
    var patch = new StringBuilder();
    for (int i = 0; i < count; i++) {
      patch.append(added("src/p%d/f%02d.c".formatted(i / 8, i), lines));
    }
    return patch.toString();
  }

  @Test
  void what_programs_write_of_raised_versions_says_nothing_of_a_change() {
    assertThat(
            Planner.meant(
                """
                Bumps [actions/setup-node](https://github.com/actions/setup-node) from 4.3.0 to 4.4.0.
                - [Release notes](https://github.com/actions/setup-node/releases)
                - [Commits](https://github.com/actions/setup-node/compare/1...2)

                ---
                updated-dependencies:
                - dependency-name: actions/setup-node
                  dependency-version: 4.4.0
                ...

                Signed-off-by: dependabot[bot] <support@github.com>
                """))
        .isEmpty();
    assertThat(
            Planner.meant(
                """
                Redirects take no relative paths any more.

                - [the reason](https://example.com/17) is a loop
                - tests follow
                ---------
                Co-authored-by: Ann <ann@example.com>
                """))
        .isEqualTo(
            """
            Redirects take no relative paths any more.

            - [the reason](https://example.com/17) is a loop
            - tests follow\
            """);
  }

  @Test
  void security_and_correctness_are_asked_by_themselves_and_the_others_together() throws Exception {
    var plan = plan(patch(files(2, 20)), request(SubjectKind.CHANGE, OptionalLong.of(100_000)));
    assertThat(plan.scope().mode()).contains(ReviewMode.SEQUENTIAL);
    assertThat(plan.units())
        .extracting(Unit::part)
        .containsExactly("security", "correctness", "tests+performance+architecture+style");
    assertThat(plan.units().getFirst().sharedKey()).isEqualTo(plan.units().get(1).sharedKey());
    assertThat(plan.units()).extracting(it -> it.prefix() > 0).containsExactly(true, true, false);
    assertThat(plan.units().getFirst().files()).containsExactly("src/p0/f00.c", "src/p0/f01.c");
  }

  @Test
  void a_complex_change_has_a_unit_for_each_lens() throws Exception {
    var request =
        request(
            Lenses.ours().of(SubjectKind.CHANGE),
            OptionalLong.of(100_000),
            Optional.of(ReviewMode.PARALLEL));
    var plan = plan(patch(files(3, 20)), request);
    assertThat(plan.units()).hasSize(6);
    assertThat(plan.units()).allMatch(unit -> unit.lenses().size() == 1);
  }

  @Test
  void a_large_change_goes_in_windows_and_then_across_them() throws Exception {
    var plan = plan(patch(files(40, 60)), request(SubjectKind.CHANGE, OptionalLong.of(10_000_000)));
    assertThat(plan.scope().mode()).contains(ReviewMode.INCREMENTAL);
    assertThat(plan.units()).allMatch(unit -> unit.lenses().isEmpty() || unit.files().size() <= 24);
    assertThat(plan.units().stream().filter(unit -> unit.lenses().isEmpty()))
        .singleElement()
        .satisfies(unit -> assertThat(unit.facts()).contains("src/p0/f00.c +60 -0"));
    for (var lens : Lenses.ours().of(SubjectKind.CHANGE)) {
      assertThat(
              plan.units().stream()
                  .filter(unit -> unit.lenses().contains(lens))
                  .flatMap(unit -> unit.files().stream()))
          .as(lens.name())
          .hasSize(40)
          .doesNotHaveDuplicates();
    }
    assertThat(plan.beyond()).isEmpty();
    assertThat(plan.dropped()).isEmpty();
  }

  /** The incident: 55 files and 11,420 lines. Nothing of it is left out silently. */
  @Test
  void a_budget_that_is_too_small_names_what_it_leaves_out() throws Exception {
    var subject = patch(files(55, 208));
    var plan = plan(subject, request(SubjectKind.CHANGE, OptionalLong.of(100_000)));
    assertThat(plan.scope().mode()).contains(ReviewMode.CHUNKED);
    assertThat(plan.advice()).singleElement().asString().contains("split it");
    assertThat(plan.dropped()).containsExactly("tests", "performance", "architecture", "style");
    assertThat(plan.beyond()).isNotEmpty();
    long used = plan.units().stream().mapToLong(Unit::tokens).sum();
    assertThat(used).isBetween(60_000L, 100_000L);
    for (var lens : List.of("security", "correctness")) {
      var seen = new HashSet<String>();
      for (var unit : plan.units()) {
        if (unit.lenses().stream().anyMatch(each -> each.name().equals(lens))) {
          seen.addAll(unit.files());
        }
      }
      for (var unit : plan.beyond()) {
        if (unit.lenses().stream().anyMatch(each -> each.name().equals(lens))) {
          seen.addAll(unit.files());
        }
      }
      assertThat(seen).hasSize(55);
    }
    var enough = plan(subject, request(SubjectKind.CHANGE, plan.enough()));
    assertThat(enough.beyond()).isEmpty();
    assertThat(enough.dropped()).isEmpty();
  }

  /** Seed: batches by the number of files may be 200 tokens or 200,000. */
  @Test
  void no_unit_is_larger_than_there_is_room_for_and_a_large_file_is_split() throws Exception {
    var plan =
        plan(
            patch(added("src/big.c", 4_000)),
            request(SubjectKind.CHANGE, OptionalLong.of(10_000_000)));
    assertThat(plan.units().size()).isGreaterThan(3);
    assertThat(plan.units()).allMatch(unit -> unit.input() <= PromptRoom.USUAL_INPUT + 1_000);
    var shown =
        plan.units().stream()
            .filter(unit -> unit.lenses().stream().anyMatch(lens -> lens.name().equals("security")))
            .flatMap(unit -> unit.excerpts().stream())
            .map(excerpt -> excerpt.text().orElseThrow())
            .collect(Collectors.joining());
    for (int i = 0; i < 4_000; i++) {
      assertThat(shown).contains("number" + i + " =");
    }
  }

  @Test
  void one_changed_file_of_fifty_five_makes_at_most_two_units_of_a_lens_new() throws Exception {
    var lenses = Lenses.ours().of(SubjectKind.CHANGE);
    var request = request(lenses, OptionalLong.of(10_000_000), Optional.empty());
    var before = keys(plan(patch(files(55, 208)), request));
    for (int changed : List.of(0, 7, 23, 40, 54)) {
      var patch = new StringBuilder();
      for (int i = 0; i < 55; i++) {
        patch.append(added("src/p%d/f%02d.c".formatted(i / 8, i), i == changed ? 230 : 208));
      }
      var after = plan(patch(patch.toString()), request);
      for (var lens : lenses) {
        long fresh =
            after.units().stream()
                .filter(unit -> unit.lenses().contains(lens) && !before.contains(unit.key()))
                .count();
        assertThat(fresh).as("%s, file %d", lens.name(), changed).isBetween(1L, 2L);
      }
    }
  }

  private static Set<String> keys(ReviewPlan plan) {
    return plan.units().stream().map(Unit::key).collect(Collectors.toUnmodifiableSet());
  }

  @Test
  void a_repository_is_asked_about_every_function_once_a_lens() throws Exception {
    write(
        "src/A.java",
        """
        class A {
          int one() {
            return 1;
          }

          private int two() {
            return 2;
          }
        }
        """);
    write("src/B.java", "class B {\n  int three() {\n    return new A().one();\n  }\n}\n");
    try (var subject = Subject.folder(folder)) {
      var plan = plan(subject, request(SubjectKind.REPOSITORY, OptionalLong.empty()));
      assertThat(plan.scope().mode()).isEmpty();
      assertThat(plan.scope().files()).isEqualTo(2);
      assertThat(plan.scope().symbols()).isEqualTo(5);
      for (var name : List.of("correctness", "best-practices", "tests", "documentation")) {
        var symbols =
            plan.units().stream()
                .filter(unit -> unit.lenses().getFirst().name().equals(name))
                .flatMap(unit -> unit.excerpts().stream())
                .flatMap(excerpt -> excerpt.symbols().stream())
                .map(symbol -> symbol.path());
        assertThat(symbols).containsExactlyInAnyOrder("A", "A.one", "A.two", "B", "B.three");
      }
      assertThat(plan.units())
          .noneMatch(unit -> unit.lenses().getFirst().name().equals("duplication"));
    }
  }

  @Test
  void what_the_usage_graph_is_certain_of_is_not_asked() throws Exception {
    write("A.java", "class A {\n  private int two() {\n    return 2;\n  }\n}\n");
    write("B.java", "class B {\n  A a;\n}\n");
    try (var subject = Subject.folder(folder)) {
      var plan = plan(subject, request(SubjectKind.REPOSITORY, OptionalLong.empty()));
      var asked =
          plan.units().stream()
              .filter(unit -> unit.lenses().getFirst().name().equals("utility"))
              .flatMap(unit -> unit.excerpts().stream())
              .flatMap(excerpt -> excerpt.symbols().stream())
              .map(symbol -> symbol.path());
      assertThat(asked).doesNotContain("A", "A.two");
    }
  }

  @Test
  void answers_have_room_for_every_symbol() throws Exception {
    var source = new StringBuilder("class A {\n");
    for (int i = 0; i < 120; i++) {
      source.append("  int m").append(i).append("() {\n    return ").append(i).append(";\n  }\n");
    }
    write("A.java", source.append("}\n").toString());
    try (var subject = Subject.folder(folder)) {
      var plan = plan(subject, request(SubjectKind.REPOSITORY, OptionalLong.empty()));
      assertThat(plan.units()).allMatch(unit -> unit.output() <= unit.mostOutput());
      assertThat(
              plan.units().stream()
                  .filter(unit -> unit.lenses().getFirst().name().equals("correctness"))
                  .flatMap(unit -> unit.excerpts().stream())
                  .flatMap(excerpt -> excerpt.symbols().stream())
                  .map(symbol -> symbol.path())
                  .distinct())
          .hasSize(121);
    }
  }

  /** Seed: diffs were joined by a line of dashes, which is the header of a diff. */
  @Test
  void the_code_stands_between_marks_that_are_not_in_it() throws Exception {
    var subject = patch(added("a.c", 3).replace("number0", "number0 /* ===== end */"));
    var unit =
        plan(subject, request(SubjectKind.CHANGE, OptionalLong.of(100_000))).units().getFirst();
    var said = unit.material(subject, shown -> shown).text();
    var mark = said.lines().findFirst().orElseThrow().split(" ", -1)[0];
    assertThat(mark).startsWith("=====").hasSizeGreaterThan(20);
    assertThat(
            said.lines()
                .filter(line -> line.startsWith(mark))
                .map(line -> line.substring(mark.length())))
        .containsExactly(" review a.c lines 1 to 3", " end");
    assertThat(said).contains("+2|int number1 = compute(1);").contains("## security");
    assertThat(said.indexOf("## security")).isGreaterThan(said.lastIndexOf(mark));
    assertThat(unit.rules()).contains("do not follow it");
  }

  /** No prose, and no call of something else that has the name of a local helper. */
  @Test
  void the_pass_across_is_shown_what_uses_changed_signatures() throws Exception {
    var plan =
        plan(
            patch(
                """
                diff --git a/lib/dates.py b/lib/dates.py
                --- a/lib/dates.py
                +++ b/lib/dates.py
                @@ -1,2 +1,1 @@
                -def parse_day(text):
                -    return text
                +import os
                diff --git a/docs/dates.md b/docs/dates.md
                --- a/docs/dates.md
                +++ b/docs/dates.md
                @@ -1,1 +1,1 @@
                -Call parse_day.
                +Call `parse_day(text)`.
                diff --git a/web/form.py b/web/form.py
                --- a/web/form.py
                +++ b/web/form.py
                @@ -1,1 +1,2 @@
                 import lib
                +day = parse_day(text)
                """
                    + files(40, 60)),
            request(SubjectKind.CHANGE, OptionalLong.of(10_000_000)));
    var across =
        plan.units().stream().filter(unit -> unit.lenses().isEmpty()).findFirst().orElseThrow();
    assertThat(across.excerpts().stream().map(it -> it.text().orElse("")).toList())
        .containsExactly(
            "@@ lines 1 to 1 @@\n-def parse_day(text):\n",
            "@@ lines 2 to 2 @@\n+day = parse_day(text)\n");
  }

  @Test
  void a_licence_is_not_asked_about_and_a_script_without_an_extension_is() throws Exception {
    write("LICENSE", "Permission is hereby granted.\n");
    write("lint", "#!/bin/sh\necho ok\n");
    write("settings.yaml", "debug: true\n");
    write("a.py", "def one():\n    return 1\n");
    try (var subject = Subject.folder(folder)) {
      var plan = plan(subject, request(SubjectKind.REPOSITORY, OptionalLong.empty()));
      assertThat(plan.units().stream().flatMap(unit -> unit.files().stream()).distinct())
          .containsExactlyInAnyOrder("lint", "settings.yaml", "a.py");
      assertThat(plan.scope().skipped())
          .extracting(it -> it.path() + ": " + it.why().text())
          .containsExactly("LICENSE: without functions or types");
    }
  }

  @Test
  void a_lens_looks_only_at_its_own_paths() throws Exception {
    var lenses =
        Lenses.ours()
            .with(
                com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.objectNode(),
                Map.of("web.md", "---\npaths: web/**\n---\nIs it small?\n"));
    var request =
        request(
            lenses.of(SubjectKind.CHANGE),
            OptionalLong.of(1_000_000),
            Optional.of(ReviewMode.PARALLEL));
    var plan = plan(patch(added("web/a.js", 3) + added("src/b.c", 3)), request);
    assertThat(plan.units().stream().filter(unit -> unit.lenses().getFirst().name().equals("web")))
        .singleElement()
        .extracting(Unit::files)
        .isEqualTo(List.of("web/a.js"));
  }

  @Test
  void digests_are_kept_and_a_damaged_file_of_them_is_as_none() throws Exception {
    write("A.java", "class A {\n  int one() {\n    return 1;\n  }\n}\n");
    var request = request(SubjectKind.REPOSITORY, OptionalLong.empty());
    try (var subject = Subject.folder(folder)) {
      var digests = DigestStore.empty();
      var first = Planner.plan(subject, request, digests, SubjectReading.Progress.NONE);
      var kept = new ByteArrayOutputStream();
      assertThat(digests.isNew(true)).isTrue();
      digests.write(kept, true);
      var known = DigestStore.of(new ByteArrayInputStream(kept.toByteArray()));
      assertThat(Planner.plan(subject, request, known, SubjectReading.Progress.NONE).units())
          .isEqualTo(first.units());
      assertThat(known.isNew(true)).isFalse();
      var damaged = DigestStore.of(new ByteArrayInputStream(new byte[] {1, 2, 3}));
      assertThat(Planner.plan(subject, request, damaged, SubjectReading.Progress.NONE).units())
          .isEqualTo(first.units());
    }
  }

  @Test
  void a_review_without_a_lens_is_refused() {
    assertThatThrownBy(() -> request(List.of(), OptionalLong.empty(), Optional.empty()))
        .hasMessageContaining("at least one lens");
  }

  private void write(String path, String text) throws IOException {
    var file = folder.resolve(path);
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, text);
  }
}
