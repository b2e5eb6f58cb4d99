package dev.flyball.review.finding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is known and put up with. */
final class BaselineTest {
  private static final Finding A = SampleFindings.finding("a", Severity.CRITICAL);
  private static final Finding B = SampleFindings.finding("b", Severity.MINOR);

  @Test
  void a_known_finding_is_marked_and_gates_nothing() {
    var applied = Baseline.of(List.of(A)).apply(List.of(A, B), file -> true);
    assertThat(applied.findings()).containsExactly(A.known(), B);
    assertThat(applied.gone()).isEmpty();
    var review = SampleFindings.review(applied.findings().toArray(Finding[]::new));
    assertThat(Gate.CRITICAL.stops(review)).isFalse();
    assertThat(Gate.MINOR.stops(review)).isTrue();
  }

  @Test
  void a_finding_that_is_gone_is_reported() {
    var applied = Baseline.of(List.of(A, B)).apply(List.of(B), file -> true);
    assertThat(applied.gone())
        .containsExactly(
            new Baseline.Known(
                "a", "java/EqualsNull", "src/Main.java", "Compared with null by equals"));
  }

  @Test
  void a_finding_in_a_file_that_nobody_looked_at_is_not_gone() {
    assertThat(Baseline.of(List.of(A)).apply(List.of(), "other.java"::equals).gone()).isEmpty();
  }

  @Test
  void a_baseline_reads_what_it_writes() throws Exception {
    var whole =
        new Finding(
            "w",
            SampleFindings.claim("lens/architecture", Severity.MAJOR, new Place.Whole()),
            false);
    var baseline = Baseline.of(List.of(B, A, whole));
    assertThat(Baseline.read(baseline.json(), "there")).isEqualTo(baseline);
    assertThat(Baseline.read(Baseline.EMPTY.json(), "there")).isEqualTo(Baseline.EMPTY);
  }

  @Test
  void a_baseline_has_a_version_and_a_finding_a_line_in_a_stable_order() {
    assertThat(Baseline.of(List.of(B, A)).json())
        .isEqualTo(Baseline.of(List.of(A, B)).json())
        .isEqualTo(
            """
            {
              "version": 1,
              "findings": [
                {"id":"a","rule":"java/EqualsNull","file":"src/Main.java","title":"Compared with null by equals"},
                {"id":"b","rule":"java/EqualsNull","file":"src/Main.java","title":"Compared with null by equals"}
              ]
            }
            """);
  }

  @Test
  void damage_is_named_with_its_place() {
    refused("{\n\"version\": 1,\n oops", "there:3: is not JSON: Unexpected character");
    refused("", "there: a baseline says its version, but this one does not");
    refused("[]", "there: a baseline says its version, but this one does not");
    refused("{\"version\":2,\"findings\":[]}", "there: version 1 can be read, but this is 2");
    refused("{\"version\":1}", "there: a baseline has a list of findings, but this one does not");
    refused(
        "{\"version\":1,\"findings\":[7]}",
        "there: every finding has id as text, but finding 1 has not");
    refused(
        "{\"version\":1,\"findings\":[{\"id\":\"a\",\"rule\":3,\"file\":\"\",\"title\":\"\"}]}",
        "there: every finding has rule as text, but finding 1 has not");
    var one = "{\"id\":\"a\",\"rule\":\"r\",\"file\":\"f\",\"title\":\"t\"}";
    refused(
        "{\"version\":1,\"findings\":[" + one + "," + one + "]}",
        "there: a baseline knows a finding once, but a is there twice");
    refused("{\"version\":1,\"findings\":[]} more", "there:1: is not JSON");
    refused("[".repeat(100_000), "there");
  }

  private static void refused(String json, String message) {
    assertThatThrownBy(() -> Baseline.read(json, "there"))
        .isInstanceOf(Baseline.Damaged.class)
        .hasMessageStartingWith(message)
        .hasMessageEndingWith("(write it again: flyball review --write-baseline)");
  }
}
