package dev.flyball.review.symbol;

import static dev.flyball.review.symbol.Drafts.symbols;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OtherOutlinesTest {
  @Test
  void go_exports_by_a_capital_and_methods_belong_to_their_receiver() {
    String text =
        """
        package p

        import (
        	"fmt"
        	x "a/b"
        )

        const Most, least = 2, 1
        const (
        	A = 1
        	b = 2
        )
        var v = 1

        // T is a type.
        type T struct{ a int }
        type I interface{ M() }
        type (
        	U int
        	w = U
        )

        func (t *T) Run() {
        	fmt.Println('"', `raw " text`, v)
        }
        func (t T2[K]) run() {}
        func main() {}
        """;
    assertThat(symbols("a.go", text))
        .containsExactly(
            "+constant Most 8-8",
            "+constant A 10-10",
            "constant b 11-11",
            "variable v 13-13",
            "+type T 15-16",
            "+interface I 17-17",
            "+type U 19-19",
            "type w 20-20",
            "+method T.Run 23-25",
            "method T2.run 26-26",
            "function main 27-27");
    assertThat(Outline.of("a.go", text).imports())
        .containsExactly(new Import("fmt", List.of()), new Import("a/b", List.of()));
  }

  @Test
  void rust_exports_by_pub_and_methods_belong_to_the_type_of_their_impl() {
    assertThat(
            symbols(
                "a.rs",
                """
                use std::io::{self, Read};
                /// Says it.
                #[derive(Debug)]
                pub struct S<'a> { x: &'a str }
                enum E { A }
                pub trait T { fn m(&self); }
                impl<'a> T for S<'a> {
                    pub fn m(&self) { let c = 'x'; let r = r#"a " b"#; }
                    const K: i32 = 1;
                }
                mod tests {
                    #[test]
                    fn t() { fn inner() {} }
                }
                type A = i32;
                pub static mut Y: i32 = 1;
                macro_rules! mm { () => {} }
                """))
        .containsExactly(
            "+@type S 2-4",
            "enum E 5-5",
            "+type T 6-6",
            "method T.m 6-6",
            "+method S.m 8-8",
            "constant S.K 9-9",
            "@function t 12-13",
            "function t.inner 13-13",
            "type A 15-15",
            "+variable Y 16-16",
            "function mm 17-17");
  }

  @Test
  void c_has_functions_types_macros_and_variables() {
    String text =
        """
        #include <stdio.h>
        #include "a/b.h"
        #define MOST 10
        #define TWICE(x) ((x) * 2)
        struct S { int a; };
        typedef struct { int b; } T;
        enum E { A, B };
        #ifdef Q
        static int *f(int a) { return 0; }
        #endif
        int proto(int);
        static const int k = 1;
        int g(struct S *s) {
          return s->a;
        }
        """;
    assertThat(symbols("a.c", text))
        .containsExactly(
            "+constant MOST 3-3",
            "+function TWICE 4-4",
            "+type S 5-5",
            "+type T 6-6",
            "+enum E 7-7",
            "function f 9-9",
            "constant k 12-12",
            "+function g 13-15");
    assertThat(Outline.of("a.c", text).imports())
        .containsExactly(new Import("stdio.h", List.of()), new Import("a/b.h", List.of()));
  }

  @Test
  void cpp_has_classes_templates_and_methods_outside_of_their_class() {
    assertThat(
            symbols(
                "a.cpp",
                """
                namespace n {
                class A : public B {
                 public:
                  A() {}
                  ~A() {}
                  int m() const { return 1'000; }
                  int f_;
                };
                }
                template <class T>
                T twice(T a) { return a; }
                int A::late() { return 1; }
                const char *raw() { return R"x(" )x"; }
                bool operator==(A a, A b) { return true; }
                using X = int;
                """))
        .containsExactly(
            "+class A 2-8",
            "+constructor A.A 4-4",
            "+method A.~A 5-5",
            "+method A.m 6-6",
            "+variable A.f_ 7-7",
            "+function twice 10-11",
            "+method A.late 12-12",
            "+function raw 13-13",
            "+function operator== 14-14",
            "+type X 15-15");
  }

  @Test
  void c_sharp_exports_what_is_public() {
    assertThat(
            symbols(
                "a.cs",
                """
                using A.B;
                namespace N
                {
                  /// <summary>Says it.</summary>
                  [Serializable]
                  public class C : D
                  {
                    const int Q = 1, R = 2;
                    public int P { get; set; }
                    public C() {}
                    void M(string s = @"a ""b"" c") { int L() { return 1; } }
                    struct S {}
                    enum E { A }
                    interface I { void F(); }
                    record Pair(int X);
                  }
                }
                """))
        .containsExactly(
            "+@class C 4-16",
            "constant C.Q 8-8",
            "constant C.R 8-8",
            "+variable C.P 9-9",
            "+constructor C.C 10-10",
            "method C.M 11-11",
            "type C.S 12-12",
            "enum C.E 13-13",
            "interface C.I 14-14",
            "+method C.I.F 14-14",
            "record C.Pair 15-15");
  }

  @Test
  void kotlin_hides_what_is_private_or_internal() {
    assertThat(
            symbols(
                "a.kt",
                """
                package a
                import x.y.Z
                @Foo private class A(val x: Int) : B() {
                  companion object {
                    const val MOST = 1
                  }
                  val p = 2
                  fun m(a: Int): Int {
                    fun inner() = 1
                    return a
                  }
                }
                interface I {
                  fun q()
                }
                enum class E { A, B }
                object O
                typealias T = Int
                internal fun String.ext() = "${Z.name} $size"
                """))
        .containsExactly(
            "@class A 3-12",
            "+constant A.MOST 5-5",
            "+variable A.p 7-7",
            "+method A.m 8-11",
            "+function A.m.inner 9-9",
            "+interface I 13-15",
            "+method I.q 14-14",
            "+enum E 16-16",
            "+class O 17-17",
            "+type T 18-18",
            "function ext 19-19");
  }

  @Test
  void the_language_is_known_by_the_extension() {
    assertThat(Language.of("a/b.JAVA")).contains(Language.JAVA);
    assertThat(Language.of("a.d/Makefile")).isEmpty();
    assertThat(Language.of("a.cc")).map(Language::title).contains("C++");
    assertThat(Language.C_SHARP.title()).isEqualTo("C#");
  }
}
