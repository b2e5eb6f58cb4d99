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

  /** Answers in the journals of earlier versions are found by these. */
  @Test
  void keys_are_what_they_always_were() {
    assertThat(unit(List.of(), List.of()).key()).isEqualTo("86ad60642801706f0d218e58374e4c19");
    assertThat(unit(List.of(ONE), List.of()).key()).isEqualTo("e8f203319173cb47401a4b14931dfe48");
    assertThat(unit(List.of(ONE, OTHER), List.of()).key())
        .isEqualTo("060ab1410cc0729752a4f6e8f0ea91d9");
    assertThat(unit(List.of(ONE), List.of(OTHER)).key())
        .isEqualTo("10ebd7df710452f502614347db8ecb66");
    assertThat(unit(List.of(), List.of(ONE)).key()).isEqualTo("d14114582669be2fef028ec849ae4a68");
    assertThat(unit(List.of(ONE), List.of(OTHER)).sample(2).key())
        .isEqualTo("bd21b66b6ff43c3f2565c810131877c2");
  }

  private static Unit unit(List<Excerpt> excerpts, List<Excerpt> beside) {
    return new Unit(
        "unit", List.of(), Lens.Tier.DEEP, excerpts, beside, "facts", "ask", 9, 1, 2, 4, 1);
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
        Optional.empty());
  }
}
