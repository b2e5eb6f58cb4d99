package dev.flyball.review.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostileTextTest {
  /** A deadline that is over after forty looks at it, so that no test waits for the real one. */
  private static BooleanSupplier hasty() {
    var looks = new AtomicInteger();
    return () -> looks.incrementAndGet() > 40;
  }

  private static String path(Language language) {
    return switch (language) {
      case JAVA -> "a.java";
      case PYTHON -> "a.py";
      case JAVASCRIPT -> "a.js";
      case TYPESCRIPT -> "a.ts";
      case TSX -> "a.tsx";
      case GO -> "a.go";
      case RUST -> "a.rs";
      case C -> "a.c";
      case CPP -> "a.cpp";
      case C_SHARP -> "a.cs";
      case KOTLIN -> "a.kt";
    };
  }

  @ParameterizedTest
  @EnumSource
  void an_empty_file_has_nothing(Language language) {
    var outline = Outline.of(path(language), "");
    assertThat(outline.reading()).isEqualTo(ParseQuality.PARSED);
    assertThat(outline.lines()).isZero();
    assertThat(outline.symbols()).isEmpty();
    assertThat(outline.names()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void any_text_has_an_outline(Language language) {
    long seed = 20_261_116;
    var random = new Random(seed + language.title().hashCode());
    String[] parts = {
      "class",
      " ",
      "A",
      "{",
      "}",
      "(",
      ")",
      "\"",
      "'",
      "`",
      "\n",
      "/",
      "*",
      "def f",
      ":",
      "=>",
      "${",
      "#",
      "\\",
      "\0",
      "\uD800",
      "é",
      "😀",
      "fn x",
      "@",
      "<",
      ">",
      ";",
      "=",
      ",",
      "r#\"",
      "export",
      "function g",
      "const h",
      "\"\"\"",
      "[",
      "]",
      "0x1",
      "::",
      "impl",
      "\r\n"
    };
    for (int i = 0; i < 60; i++) {
      String text =
          IntStream.range(0, random.nextInt(120))
              .mapToObj(n -> parts[random.nextInt(parts.length)])
              .collect(Collectors.joining());
      var outline = Outline.of(path(language), text, hasty());
      assertThat(outline.symbols())
          .as("seed %d, text %d: %s", seed, i, text)
          .allMatch(symbol -> symbol.endLine() <= Math.max(1, outline.lines()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "{", "\"", "f(", "class A{", "`${", "1+", "\0", "<", "/*"})
  void a_megabyte_of_the_same_ends(String part) {
    for (Language language : new Language[] {Language.JAVA, Language.TYPESCRIPT, Language.CPP}) {
      var outline = Outline.of(path(language), part.repeat(1_000_000 / part.length()), hasty());
      assertThat(outline.lines()).isEqualTo(1);
    }
  }

  @Test
  void what_takes_too_long_is_guessed() {
    var outline = Outline.of("a.js", "function f() {}\n" + "x = y;\n".repeat(100_000), hasty());
    assertThat(outline.reading()).isEqualTo(ParseQuality.GUESSED);
    assertThat(outline.language()).contains(Language.JAVASCRIPT);
    assertThat(outline.symbols())
        .extracting(Symbol::name)
        .containsExactly("f", Symbol.MODULE_LEVEL);
    assertThat(outline.names()).contains("x", "y");
  }

  @Test
  void what_is_too_large_is_guessed() {
    assertThat(Outline.of("a.py", "x = 1\n".repeat(400_000)).reading())
        .isEqualTo(ParseQuality.GUESSED);
  }

  @Test
  void types_nested_deeper_than_people_nest_are_left_out() {
    var outline = Outline.of("A.java", "class A {".repeat(2_000) + "}".repeat(2_000));
    assertThat(outline.reading()).isEqualTo(ParseQuality.TOO_DEEP);
    assertThat(outline.symbols()).hasSizeBetween(40, 200);
  }

  @Test
  void functions_at_the_bottom_of_a_deep_expression_cost_no_more_than_it_has_characters() {
    String text = "f(".repeat(3_000) + "()=>1,".repeat(3_000) + "1" + ")".repeat(3_000);
    assertThat(Outline.of("a.js", text).reading()).isEqualTo(ParseQuality.TOO_DEEP);
  }

  @Test
  void what_is_broken_is_read_in_part() {
    var outline = Outline.of("A.java", "class A { void m() {} void n( {} int x; }\nclass B {}\n");
    assertThat(outline.reading()).isEqualTo(ParseQuality.PARTLY);
    assertThat(outline.symbols()).extracting(Symbol::path).contains("A", "A.m", "B");
  }

  @Test
  void places_are_right_behind_characters_of_any_width() {
    var outline =
        Outline.of("A.java", "\uFEFF// é😀\uD800\r\nclass Ä {\r\n  int é😀x, y\0;\r\n}\r\n");
    assertThat(outline.symbols()).extracting(Symbol::path).contains("Ä");
    assertThat(outline.symbols().getFirst().line()).isEqualTo(1);
    assertThat(outline.symbols().getFirst().endLine()).isEqualTo(4);
    assertThat(outline.lines()).isEqualTo(4);
  }

  @Test
  void threads_do_not_disturb_each_other() throws Exception {
    String text = "class A {\n  void m() { int x = 1; }\n}\n".repeat(50);
    Outline alone = Outline.of("A.java", text);
    Map<Integer, Callable<Outline>> calls =
        IntStream.range(0, 200)
            .boxed()
            .collect(Collectors.toMap(n -> n, n -> () -> Outline.of("A.java", text)));
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (var outline : threads.invokeAll(calls.values())) {
        assertThat(outline.get()).isEqualTo(alone);
      }
    }
  }
}
