package dev.flyball.review.symbol;

import static dev.flyball.review.symbol.Drafts.symbols;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PythonOutlineTest {
  @Test
  void functions_classes_and_methods_are_symbols_wherever_they_are() {
    assertThat(
            symbols(
                "a.py",
                """
                MOST = 3
                _seen: int = 0
                _seen = 1
                # Says what f does.
                @cached(1)
                @other
                async def f(a):
                    def _inner():
                        pass
                    return _inner

                class A(Parent):
                    LIMIT = 1
                    def _hook(self): pass
                    @property
                    def x(self): return 1
                class _B:
                    def _own(self): pass
                    def __init__(self): pass
                if True:
                    def late(): pass
                """))
        .containsExactly(
            "+constant MOST 1-1",
            "-variable _seen 2-2",
            "+@function f 4-10",
            "-function f._inner 8-9",
            "+class A 12-16",
            "+constant A.LIMIT 13-13",
            "method A._hook 14-14",
            "+@method A.x 15-16",
            "-class _B 17-19",
            "-method _B._own 18-18",
            "method _B.__init__ 19-19",
            "+function late 21-21");
  }

  @Test
  void imports_are_modules_and_names() {
    assertThat(
            Outline.of(
                    "a.py",
                    """
                    import a.b as c, d
                    from x.y import z as w, q
                    from . import s
                    from m import *
                    """)
                .imports())
        .containsExactly(
            new Import("a.b", List.of()),
            new Import("d", List.of()),
            new Import("x.y", List.of("z", "q")),
            new Import(".", List.of("s")),
            new Import("m", List.of("*")));
  }

  @Test
  void what_stands_in_the_braces_of_a_string_is_mentioned() {
    var outline = Outline.of("a.py", "x = f'{_one()} two' + r\"\"\"three\n{four}\"\"\"\n");
    assertThat(outline.names()).containsExactly("_one", "four");
    assertThat(outline.quoted()).contains("two", "three");
  }
}
