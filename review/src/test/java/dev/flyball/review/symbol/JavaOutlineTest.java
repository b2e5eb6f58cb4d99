package dev.flyball.review.symbol;

import static dev.flyball.review.symbol.Drafts.symbols;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JavaOutlineTest {
  @Test
  void a_class_has_its_fields_constructors_and_methods() {
    assertThat(
            symbols(
                "A.java",
                """
                package a;
                public class A {
                  private int count;
                  static final int MOST = 3, LEAST = 1;
                  protected A() {}
                  void run() {
                    int local = 1;
                  }
                }
                """))
        .containsExactly(
            "+class A 2-9",
            "-variable A.count 3-3",
            "constant A.MOST 4-4",
            "constant A.LEAST 4-4",
            "+constructor A.A 5-5",
            "method A.run 6-8");
  }

  @Test
  void a_record_is_a_symbol_and_its_components_are_not() {
    assertThat(
            symbols(
                "R.java",
                """
                record R(int a, String b) {
                  R {
                    assert a > 0;
                  }
                  static R of() { return null; }
                }
                """))
        .containsExactly("record R 1-6", "constructor R.R 2-4", "method R.of 5-5");
  }

  @Test
  void an_enum_is_a_symbol_and_its_constants_are_not() {
    assertThat(symbols("E.java", "enum E {\n  A, B;\n  int x() { return 1; }\n}\n"))
        .containsExactly("enum E 1-4", "method E.x 3-3");
  }

  @Test
  void an_interface_exports_its_methods_and_its_fields_are_constants() {
    assertThat(symbols("I.java", "interface I {\n int K = 1;\n void m();\n}\n"))
        .containsExactly("interface I 1-4", "+constant I.K 2-2", "+method I.m 3-3");
  }

  @Test
  void an_annotation_is_a_type() {
    assertThat(symbols("N.java", "public @interface N {\n  int value() default 1;\n}\n"))
        .containsExactly("+@type N 1-3", "+method N.value 2-2");
  }

  @Test
  void nested_types_have_owners() {
    assertThat(
            symbols(
                "A.java",
                """
                class A {
                  sealed interface B permits C {}
                  private record C(int x) implements B {
                    enum D { X }
                  }
                }
                """))
        .containsExactly("class A 1-6", "interface A.B 2-2", "-record A.C 3-5", "enum A.C.D 4-4");
  }

  @Test
  void a_local_type_belongs_to_its_method() {
    assertThat(
            symbols(
                "A.java",
                """
                class A {
                  static { class S {} }
                  void m(Class<?> c) {
                    if (c == A.class) {
                      record Pair(int a, int b) {
                        int sum() { return a + b; }
                      }
                      class After {}
                    }
                  }
                  void n() {}
                }
                """))
        .containsExactly(
            "class A 1-12",
            "class A.S 2-2",
            "method A.m 3-10",
            "-record A.m.Pair 5-7",
            "method A.m.Pair.sum 6-6",
            "-class A.m.After 8-8",
            "method A.n 11-11");
  }

  @Test
  void lines_begin_with_the_comment_and_the_annotations() {
    assertThat(
            symbols(
                "A.java",
                """
                class A {
                  int x; // of x

                  /**
                   * Runs.
                   */
                  @Override
                  @Deprecated(since = "1")
                  public void run() {}

                  // of nothing

                  // of y
                  // and more
                  int y;
                }
                """))
        .containsExactly(
            "class A 1-16", "variable A.x 2-2", "+@method A.run 4-9", "variable A.y 13-15");
  }

  @Test
  void imports_are_modules_and_names() {
    assertThat(
            Outline.of("A.java", "import a.b.C;\nimport static a.b.D.e;\nimport f.*;\nclass A {}\n")
                .imports())
        .containsExactly(
            new Import("a.b", List.of("C")),
            new Import("a.b.D", List.of("e")),
            new Import("f", List.of("*")));
  }

  @Test
  void names_are_what_is_mentioned_and_not_what_is_declared() {
    var outline =
        Outline.of(
            "A.java",
            """
            class A {
              private int used, unused;
              /** Says {@link #unused}. */
              int m(Other other) { return used + other.record("quoted words"); }
            }
            """);
    assertThat(outline.names()).containsExactly("Other", "other", "record", "used");
    assertThat(outline.quoted()).containsExactly("quoted", "words");
    assertThat(outline.reading()).isEqualTo(ParseQuality.PARSED);
  }

  @Test
  void a_function_of_enough_tokens_has_a_sketch_that_forgets_names() {
    String body = "for (int i = 0; i < 10; i++) { if (x[i] > y) { z += \"a\".length() * 2; } }";
    String other = body.replace('x', 'q').replace("\"a\"", "\"other\" /* no */").replace("2", "3");
    var one = Drafts.symbol("A.java", "class A { void m() { " + body + " } }", "A.m");
    var two = Drafts.symbol("A.java", "class A { void n() {\n " + other + " } }", "A.n");
    assertThat(one.sketch()).isPresent().isEqualTo(two.sketch());
    assertThat(Drafts.symbol("A.java", "class A { void m() {} }", "A.m").sketch()).isEmpty();
  }

  @Test
  void the_innermost_function_or_type_encloses_a_line() {
    var outline = Outline.of("A.java", "class A {\n  int x;\n  void m() {\n    x = 1;\n  }\n}\n");
    assertThat(outline.enclosing(4)).map(Symbol::path).contains("A.m");
    assertThat(outline.enclosing(2)).map(Symbol::path).contains("A");
    assertThat(outline.enclosing(7)).isEmpty();
    assertThat(outline.lines()).isEqualTo(6);
  }
}
