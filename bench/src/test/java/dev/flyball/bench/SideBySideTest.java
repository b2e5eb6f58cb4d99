package dev.flyball.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.bench.SideBySide.Case;
import dev.flyball.worlds.Scenarios;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The side-by-side table, with two of its rows and one seed. */
final class SideBySideTest {
  static List<Scenarios.Row> rows() {
    return Scenarios.ROWS.subList(0, 2);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void flyball_keeps_its_promise_where_peers_are_slower_or_are_refused_more(Scenarios.Row row) {
    var each = Case.of(row.scenario(), row.jobs());
    var flyball = SideBySide.flyball(each, 1);
    assertThat(flyball.ratio()).isBetween(1.0, row.ratio());
    assertThat(flyball.throttles()).isLessThanOrEqualTo(row.throttles());
    assertThat(flyball.lost()).isZero();
    SideBySide.PEERS.forEach(
        (name, peer) -> {
          var score = SideBySide.peer(each, peer, 1);
          assertThat(score.ratio()).as(name).isGreaterThan(flyball.ratio());
          assertThat(score.throttles()).as(name).isGreaterThan(flyball.throttles());
        });
  }
}
