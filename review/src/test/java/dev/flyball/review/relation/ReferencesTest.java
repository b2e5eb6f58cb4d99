package dev.flyball.review.relation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.relation.References.Answer;
import dev.flyball.review.symbol.Drafts;
import dev.flyball.review.symbol.Outline;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReferencesTest {
  /** The answer for the symbol of this path in the first of the files. */
  private static Answer answer(String symbol, String... pathsAndTexts) {
    Map<String, Outline> outlines = new HashMap<>();
    for (int i = 0; i < pathsAndTexts.length; i += 2) {
      outlines.put(pathsAndTexts[i], Outline.of(pathsAndTexts[i], pathsAndTexts[i + 1]));
    }
    return References.of(outlines)
        .answer(pathsAndTexts[0], Drafts.symbol(pathsAndTexts[0], pathsAndTexts[1], symbol));
  }

  private static String java(String member) {
    return "class A {\n" + member + "\n}\n";
  }

  @Test
  void a_private_member_that_its_file_does_not_mention_is_unused() {
    assertThat(answer("A.m", "A.java", java("private void m() {}")))
        .isInstanceOf(Answer.Unused.class);
    assertThat(answer("A.K", "A.java", java("private static final int K = 1;")))
        .isInstanceOf(Answer.Unused.class);
    assertThat(answer("A.B", "A.java", java("private record B(int x) {}")))
        .isInstanceOf(Answer.Unused.class);
  }

  @Test
  void a_comment_is_no_use_and_a_file_that_cannot_see_it_is_no_user() {
    assertThat(
            answer(
                "A.m",
                "A.java",
                java("// m()\nprivate void m() {}"),
                "B.java",
                "class B { void n() { m(); } }"))
        .isInstanceOf(Answer.Unused.class);
  }

  @Test
  void a_mention_is_a_use() {
    assertThat(answer("A.m", "A.java", java("private void m() {} Runnable r = this::m;")))
        .isEqualTo(new Answer.Used(List.of("A.java"), 1));
  }

  /** In a real library every __init__ was said to be used by whoever called that of a base. */
  @Test
  void a_name_that_several_types_have_is_used_by_those_who_name_its_type() {
    var types =
        """
        class A:
            def __init__(self):
                pass
            def flow(self):
                pass
        class B:
            def __init__(self):
                pass
            def flow(self):
                pass
        """;
    var base = "class C(D):\n    def __init__(self):\n        super().__init__()\n";
    var user = "a = A()\na.flow()\n";
    assertThat(answer("A.__init__", "a.py", types, "c.py", base, "u.py", "x = A\nA.__init__(x)\n"))
        .isEqualTo(new Answer.Used(List.of("u.py"), 1));
    assertThat(answer("B.__init__", "a.py", types, "c.py", base))
        .isInstanceOf(Answer.Unknown.class);
    assertThat(answer("A.flow", "a.py", types, "u.py", user))
        .isEqualTo(new Answer.Used(List.of("u.py"), 1));
    assertThat(answer("B.flow", "a.py", types, "u.py", user)).isInstanceOf(Answer.Unknown.class);
  }

  @Test
  void users_are_sorted_and_the_first_twenty_are_named() {
    Map<String, Outline> outlines = new HashMap<>();
    outlines.put("A.java", Outline.of("A.java", "public class A {}"));
    IntStream.range(10, 35)
        .forEach(n -> outlines.put(n + ".java", Outline.of(n + ".java", "class B { A a; }")));
    var used =
        (Answer.Used)
            References.of(outlines)
                .answer("A.java", Drafts.symbol("A.java", "public class A {}", "A"));
    assertThat(used.total()).isEqualTo(25);
    assertThat(used.by()).hasSize(20).isSorted().startsWith("10.java");
  }

  @Test
  void what_others_may_use_is_never_unused() {
    for (String member :
        List.of(
            "public void m() {}",
            "protected void m() {}",
            "void m() {}",
            "@Inject private void m() {}",
            "private int m;",
            "private void m() {} String s = \"m\";",
            "@Test void m(int x) {} private static void m() {}")) {
      assertThat(answer("A.m", "A.java", java(member)))
          .as(member)
          .isInstanceOf(Answer.Unknown.class);
    }
    assertThat(answer("A.A", "A.java", java("private A() {}")))
        .isNotInstanceOf(Answer.Unused.class);
    assertThat(answer("A.readObject", "A.java", java("private void readObject(Object in) {}")))
        .isInstanceOf(Answer.Unknown.class);
  }

  @Test
  void a_file_that_could_not_be_read_in_full_has_nothing_unused() {
    assertThat(answer("A.m", "A.java", java("private void m() {} void n( {}")))
        .isInstanceOf(Answer.Unknown.class);
  }

  @Test
  void a_function_that_a_module_keeps_to_itself_and_does_not_mention_is_unused() {
    assertThat(answer("f", "a.js", "import x from 'x';\nfunction f() {}\n"))
        .isInstanceOf(Answer.Unused.class);
    assertThat(answer("k", "a.ts", "export const a = 1;\nconst k = 2;\n"))
        .isInstanceOf(Answer.Unused.class);
  }

  @Test
  void a_function_of_a_plain_script_or_an_exported_or_rendered_one_is_not_unused() {
    assertThat(answer("f", "a.js", "function f() {}\n")).isInstanceOf(Answer.Unknown.class);
    assertThat(answer("f", "a.js", "export function f() {}\n")).isInstanceOf(Answer.Unknown.class);
    assertThat(answer("f", "a.js", "function f() {}\nmodule.exports = { f };\n"))
        .isInstanceOf(Answer.Used.class);
    assertThat(answer("F", "a.jsx", "function F() {}\nexport const G = () => <F/>;\n"))
        .isInstanceOf(Answer.Used.class);
    assertThat(answer("f", "a.js", "import 'x';\nfunction f() {}\n// f()\n"))
        .isInstanceOf(Answer.Unknown.class);
  }

  @Test
  void a_python_function_with_an_underscore_that_no_file_mentions_is_unused() {
    assertThat(answer("_f", "a.py", "def _f(): pass\n", "b.py", "x = 1\n"))
        .isInstanceOf(Answer.Unused.class);
    assertThat(answer("_f", "a.py", "def _f(): pass\n", "b.py", "import a\na._f()\n"))
        .isEqualTo(new Answer.Used(List.of("b.py"), 1));
  }

  @Test
  void python_that_is_looked_up_by_name_is_not_unused() {
    assertThat(
            answer(
                "A._do_x", "a.py", "class A:\n  def _do_x(self): pass\n", "b.py", "f'_do_{x}'\n"))
        .isInstanceOf(Answer.Unknown.class);
    assertThat(answer("_f", "a.py", "def _f(): pass\ng = globals()\n"))
        .isInstanceOf(Answer.Unknown.class);
    assertThat(answer("A._hook", "a.py", "class A(B):\n  def _hook(self): pass\n"))
        .isInstanceOf(Answer.Unknown.class);
    assertThat(answer("f", "a.py", "def f(): pass\n")).isInstanceOf(Answer.Unknown.class);
    assertThat(answer("A.__eq__", "a.py", "class A:\n  def __eq__(self, o): pass\n"))
        .isInstanceOf(Answer.Unknown.class);
  }

  @Test
  void elsewhere_it_is_unknown() {
    assertThat(answer("f", "a.go", "package p\nfunc f() {}\n")).isInstanceOf(Answer.Unknown.class);
    assertThat(answer("f", "a.sh", "f() {\n}\nf\n")).isInstanceOf(Answer.Unknown.class);
  }
}
