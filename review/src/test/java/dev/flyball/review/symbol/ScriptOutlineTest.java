package dev.flyball.review.symbol;

import static dev.flyball.review.symbol.Drafts.symbols;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptOutlineTest {
  @Test
  void functions_and_what_is_bound_to_a_name_are_symbols() {
    assertThat(
            symbols(
                "a.js",
                """
                import x from 'x';
                function one() {}
                async function* two() {}
                const three = async (a) => {
                  const inner = () => a;
                  const value = 1;
                };
                let four = function () {};
                const five = 5;
                var six;
                const { seven } = x;
                """))
        .containsExactly(
            "-function one 2-2",
            "-function two 3-3",
            "-function three 4-7",
            "function three.inner 5-5",
            "-function four 8-8",
            "-constant five 9-9",
            "-variable six 10-10");
  }

  @Test
  void a_class_has_methods_fields_and_a_constructor() {
    assertThat(
            symbols(
                "a.js",
                """
                class A extends B {
                  x = 1;
                  handler = () => {};
                  constructor() { super(); }
                  static make() {}
                  #hidden() {}
                  get y() { return 1; }
                }
                """))
        .containsExactly(
            "class A 1-8",
            "+variable A.x 2-2",
            "+method A.handler 3-3",
            "+constructor A.constructor 4-4",
            "+method A.make 5-5",
            "method A.#hidden 6-6",
            "+method A.y 7-7");
  }

  @Test
  void exported_is_what_has_the_keyword_or_is_listed() {
    assertThat(
            symbols(
                "a.mjs",
                """
                export function a() {}
                export default class B {}
                const c = 1, d = 2;
                function e() {}
                export { c, d as dd };
                export default e;
                function f() {}
                """))
        .containsExactly(
            "+function a 1-1",
            "+class B 2-2",
            "+constant c 3-3",
            "+constant d 3-3",
            "+function e 4-4",
            "-function f 7-7");
  }

  @Test
  void exported_is_what_common_modules_hand_out() {
    assertThat(
            symbols(
                "a.cjs",
                """
                function a() {}
                function b() {}
                function c() {}
                function d() {}
                module.exports = { a, bee: b };
                exports.see = c;
                """))
        .containsExactly(
            "+function a 1-1", "+function b 2-2", "+function c 3-3", "-function d 4-4");
  }

  @Test
  void what_a_plain_script_declares_is_seen_by_all_scripts_of_a_page() {
    assertThat(symbols("a.js", "function a() {}\n")).containsExactly("function a 1-1");
  }

  @Test
  void typescript_has_interfaces_aliases_enums_and_namespaces() {
    assertThat(
            symbols(
                "a.ts",
                """
                export interface I { m(): void }
                type T = string | number;
                export enum E { A }
                abstract class C {
                  private x: number = 1;
                  abstract n(): void;
                }
                namespace N {
                  export function q() {}
                }
                declare function g(): void;
                export const k: T = 'a';
                @Dec() class D {
                  @Input()
                  name: string;
                  @Out() m() {}
                }
                """))
        .containsExactly(
            "+interface I 1-1",
            "-type T 2-2",
            "+enum E 3-3",
            "-class C 4-7",
            "variable C.x 5-5",
            "+method C.n 6-6",
            "-type N 8-10",
            "+function N.q 9-9",
            "+function g 11-11",
            "+constant k 12-12",
            "-@class D 13-17",
            "+@variable D.name 14-15",
            "+@method D.m 16-16");
  }

  @Test
  void tsx_is_read_with_its_elements() {
    var outline =
        Outline.of(
            "a.tsx",
            """
            import { Box } from './box';
            export const Page = () => <Box title="it's">{label} don't</Box>;
            const label = `a ${helper(1)} b`;
            """);
    assertThat(outline.reading()).isEqualTo(ParseQuality.PARSED);
    assertThat(outline.symbols())
        .extracting(Symbol::path)
        .containsExactly("Page", "label", Symbol.MODULE_LEVEL);
    assertThat(outline.names()).contains("Box", "label", "helper");
  }

  @Test
  void imports_are_modules_and_names_however_they_are_asked_for() {
    assertThat(
            Outline.of(
                    "a.ts",
                    """
                    import d, { a, b as c } from 'x';
                    import * as all from "y";
                    import 'side';
                    const r = require('z');
                    export * from 'w';
                    """)
                .imports())
        .containsExactly(
            new Import("x", List.of("d", "a", "b")),
            new Import("y", List.of("*")),
            new Import("side", List.of()),
            new Import("z", List.of()),
            new Import("w", List.of("*")));
  }

  @Test
  void a_regular_expression_is_a_string_and_a_division_is_not() {
    var outline =
        Outline.of("a.js", "const a = b / c / d;\nconst e = /it's \\/ [/] f/.test(g);\nh();\n");
    assertThat(outline.names()).containsExactly("b", "c", "d", "g", "h", "test");
  }
}
