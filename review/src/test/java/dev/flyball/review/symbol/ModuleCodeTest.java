package dev.flyball.review.symbol;

import static dev.flyball.review.symbol.Drafts.moduleCode;
import static dev.flyball.review.symbol.Drafts.symbols;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ModuleCodeTest {
  @Test
  void functions_that_are_assigned_to_properties_are_symbols() {
    assertThat(
            symbols(
                "app.js",
                """
                var app = exports = module.exports = {};
                app.use = function use(fn) {
                  return fn;
                };
                app.run = (c) => c;
                exports.send = function () {};
                Router.prototype.handle = async function handle(req) {
                  function inner() {}
                };
                handlers['close'] = function () {};
                module.exports = function createApplication() {};
                module.exports.Later = class Later { go() {} };
                app.settings = 5;
                """))
        .contains(
            "method app.use 2-4",
            "method app.run 5-5",
            "+function send 6-6",
            "method Router.handle 7-9",
            "method handlers.close 10-10",
            "+function createApplication 11-11",
            "+class Later 12-12",
            "+method Later.go 12-12");
  }

  @Test
  void methods_and_functions_of_objects_are_symbols() {
    assertThat(
            symbols(
                "api.js",
                """
                const api = {
                  get(url) {
                    return url;
                  },
                  post: (url) => url,
                  put: function (url) {},
                  async *all() {},
                  limit: 5,
                };
                module.exports = {
                  start() {},
                  stop: async () => {},
                };
                """))
        .contains(
            "method api.get 2-4",
            "function api.post 5-5",
            "function api.put 6-6",
            "method api.all 7-7",
            "+method start 11-11",
            "function stop 12-12");
  }

  @Test
  void what_is_handed_out_without_a_name_is_a_symbol() {
    assertThat(symbols("a.mjs", "export default function () {\n}\n"))
        .containsExactly("+function default 1-2");
    assertThat(symbols("a.ts", "export default (a: number) => a;\n"))
        .containsExactly("+function default 1-1");
    assertThat(symbols("a.mjs", "export default class extends B {\n  go() {}\n}\n"))
        .containsExactly("+class default 1-3", "+method default.go 2-2");
  }

  @Test
  void code_outside_of_functions_and_types_is_known_by_its_lines() {
    assertThat(
            moduleCode(
                "server.js",
                """
                // a server
                'use strict';
                import http from 'http';
                const port = 80;
                function a() {
                  return 1;
                }
                // starts
                http.listen(port, () => {
                  a();
                });
                """))
        .containsExactly("2-4", "9-11");
    assertThat(moduleCode("a.py", "import os\n\ndef f():\n    pass\n\nos.remove('x')\n"))
        .containsExactly("6-6");
    assertThat(
            moduleCode("a.go", "package a\n\nimport \"os\"\n\nvar run = func() { os.Exit(1) }\n"))
        .containsExactly("1-5");
    assertThat(moduleCode("A.java", "package a;\n\nimport java.util.List;\n\nclass A {}\n"))
        .isEmpty();
    assertThat(moduleCode("run.sh", "set -e\nrm -r $1\n")).containsExactly("1-2");
    assertThat(moduleCode("index.ts", "export * from './a';\n")).isEmpty();
  }
}
