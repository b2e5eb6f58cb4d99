package dev.flyball.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void words_are_on_the_left_and_numbers_on_the_right() {
    assertThat(
            new TextTable()
                .left("planet")
                .right("moons")
                .left("note")
                .row("Mars", "2", "")
                .row("Jupiter", "97", "large")
                .lines(UnaryOperator.identity()))
        .containsExactly(
            "planet   moons  note", //
            "Mars         2",
            "Jupiter     97  large");
  }

  @Test
  void paint_and_signs_of_two_halves_take_the_room_that_is_seen() {
    var painted = new TextTable.Cell("2", text -> "\u001b[1m" + text + "\u001b[0m");
    var lines =
        new TextTable()
            .left("name")
            .right("n")
            .left("x")
            .row(
                List.of(
                    TextTable.Cell.of("\ud83d\ude80\ud83d\ude80\ud83d\ude80"),
                    painted,
                    TextTable.Cell.of("y")))
            .lines(UnaryOperator.identity());
    assertThat(lines)
        .containsExactly(
            "name  n  x", "\ud83d\ude80\ud83d\ude80\ud83d\ude80   \u001b[1m2\u001b[0m  y");
  }

  @Test
  void a_row_has_a_cell_for_each_column() {
    assertThatThrownBy(() -> new TextTable().left("one").row("1", "2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("each of 1 columns, but had 2");
  }
}
