package dev.flyball.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The figures that the README and the pages give are those that were measured. */
class PublishedFiguresTest {
  private static final Path HOUSE = Path.of("..");
  private static final Path WIRE = HOUSE.resolve("bench/results/wire.md");
  private static final Path WORLDS = HOUSE.resolve("bench/results/worlds.md");

  /** What the README calls an account, and what the measurement does. */
  private static final Map<String, String> ACCOUNTS =
      Map.of(
          "limits in headers", "full headers",
          "only `retry-after`", "retry-after only",
          "no headers at all", "no header, no hint",
          "limited by tokens", "token-bound",
          "40 % used by somebody else", "40 % foreign use");

  private static List<List<String>> rows(Path page) throws IOException {
    return Files.readAllLines(page).stream()
        .filter(line -> line.startsWith("|") && !line.startsWith("|-"))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .map(cells -> cells.subList(1, cells.size() - 1))
        .toList();
  }

  /** Time ÷ optimum, 429s and lost answers. */
  private static List<String> measured(Path results, String account, String column)
      throws IOException {
    var all = rows(results);
    int at =
        all.stream().filter(row -> row.contains(column)).findFirst().orElseThrow().indexOf(column);
    var row = all.stream().filter(each -> each.getFirst().equals(account)).findFirst();
    assertThat(row).as(account).isPresent();
    return List.of(row.get().get(at).split(" / ", -1));
  }

  @Test
  void the_table_of_the_readme_is_that_of_the_last_measurement() throws IOException {
    int seen = 0;
    for (var row : rows(HOUSE.resolve("README.md"))) {
      var account = ACCOUNTS.get(row.getFirst());
      if (account != null) {
        seen++;
        var ours = measured(WIRE, account, "flyball");
        var theirs = measured(WIRE, account, "SDK, 20 threads");
        var time = new BigDecimal(ours.getFirst()).setScale(2, RoundingMode.HALF_UP);
        assertThat(row.get(1).replace("*", ""))
            .isEqualTo("%s ×, %s, %s".formatted(time, ours.get(1), ours.get(2)));
        assertThat(row.get(2)).isEqualTo(theirs.get(1) + ", " + theirs.get(2));
      }
    }
    assertThat(seen).isEqualTo(ACCOUNTS.size());
  }

  @Test
  void the_tables_of_the_benchmarks_are_those_of_the_last_measurements() throws IOException {
    int seen = 0;
    for (var row : rows(HOUSE.resolve("docs/benchmarks.md"))) {
      if (row.size() >= 3 && row.get(1).startsWith("**")) {
        seen++;
        var results = row.size() == 3 ? WIRE : WORLDS;
        var account =
            row.getFirst().equals("bound by output tokens, rounded")
                ? "bound by output, rounded"
                : row.getFirst();
        assertThat(row.get(1).replace("*", ""))
            .isEqualTo(String.join(" / ", measured(results, account, "flyball")));
      }
    }
    assertThat(seen).isGreaterThan(12);
  }
}
