package dev.flyball.review.symbol;

import static dev.flyball.review.symbol.Drafts.symbols;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GuessedOutlineTest {
  @Test
  void a_shell_script_has_functions_and_constants() {
    assertThat(symbols("a.sh", "export HOME_DIR=/x\nrun() {\n  true\n}\nfunction stop {\n:\n}\n"))
        .containsExactly("constant HOME_DIR 1-1", "function run 2-2", "function stop 5-5");
  }

  @Test
  void a_makefile_has_targets() {
    assertThat(symbols("x/Makefile", "CC_FLAGS := -O2\nall: build\n\tcc\nbuild:\n.PHONY: all\n"))
        .containsExactly(
            "constant CC_FLAGS 1-1",
            "function all 2-2",
            "function build 4-4",
            "function .PHONY 5-5");
  }

  @Test
  void a_schema_has_tables() {
    assertThat(
            symbols(
                "a.sql", "CREATE TABLE IF NOT EXISTS users (\n id int);\ncreate view v as x;\n"))
        .containsExactly("type users 1-1", "type v 3-3");
  }

  @Test
  void ruby_and_php_have_functions_and_classes() {
    assertThat(symbols("a.rb", "class Foo\n  def bar?\n  end\nend\n"))
        .containsExactly("class Foo 1-1", "function bar? 2-2");
    assertThat(symbols("a.php", "  public static function baz($x) {\n"))
        .containsExactly("function baz 1-1");
  }

  @Test
  void a_heading_is_no_symbol() {
    assertThat(symbols("a.md", "# class Foo\nclass Foo\nFOO = 1\n")).isEmpty();
  }

  @Test
  void it_says_that_it_was_guessed_and_keeps_the_words() {
    var outline = Outline.of("a.sh", "one two\r\n");
    assertThat(outline.reading()).isEqualTo(ParseQuality.GUESSED);
    assertThat(outline.language()).isEmpty();
    assertThat(outline.names()).containsExactly("one", "two");
  }

  @Test
  void a_line_without_end_takes_no_time() {
    assertThat(Outline.of("a.sh", "export ".repeat(200_000)).symbols())
        .extracting(Symbol::kind)
        .containsExactly(SymbolKind.MODULE);
  }
}
