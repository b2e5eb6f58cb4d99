package dev.flyball.review.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.lens.Lens;
import dev.flyball.review.symbol.Symbol;
import dev.flyball.review.symbol.SymbolKind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class UnitTest {
  private static final Excerpt ONE = excerpt("a.c", "p1", "f", "g");
  private static final Excerpt OTHER = excerpt("b.c", "p2");

  @Test
  void another_unit_has_another_key_and_the_same_unit_the_same() {
    assertThat(
            Stream.of(
                    unit(List.of(), List.of()),
                    unit(List.of(ONE), List.of()),
                    unit(List.of(ONE, OTHER), List.of()),
                    unit(List.of(ONE), List.of(OTHER)),
                    unit(List.of(), List.of(ONE)),
                    unit(List.of(ONE), List.of(OTHER)).sample(2))
                .map(Unit::key))
        .doesNotHaveDuplicates();
    assertThat(unit(List.of(ONE), List.of(OTHER)).key())
        .isEqualTo(unit(List.of(ONE), List.of(OTHER)).key());
  }

  private static Unit unit(List<Excerpt> excerpts, List<Excerpt> beside) {
    return new Unit(
        "unit",
        List.of(),
        Lens.Tier.DEEP,
        "rules",
        "purpose",
        excerpts,
        beside,
        "facts",
        "ask",
        new Unit.UnitSize(9, 1, 2, 4),
        1);
  }

  private static Excerpt excerpt(String path, String print, String... symbols) {
    return new Excerpt(
        path,
        1,
        9,
        TierTokens.NONE,
        Stream.of(symbols)
            .map(
                name ->
                    new Symbol(
                        name, SymbolKind.FUNCTION, false, 1, 1, "", false, false, Optional.empty()))
            .toList(),
        print,
        Optional.empty(),
        false);
  }
}
