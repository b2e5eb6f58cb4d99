package dev.flyball.review.relation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.relation.ChangeNeighbours.ChangedFile;
import dev.flyball.review.relation.ChangeNeighbours.Mention;
import dev.flyball.review.relation.ChangeNeighbours.ReadFile;
import dev.flyball.review.relation.ChangeNeighbours.Spot;
import dev.flyball.review.relation.ChangeNeighbours.Surroundings;
import dev.flyball.review.symbol.Outline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ChangeNeighboursTest {
  private final Map<String, String> files = new TreeMap<>();

  /** Of a change of some lines of one file, among all that there are. */
  private Surroundings around(String path, List<Integer> lines, String... gone) {
    var content = files.getOrDefault(path, "");
    var text = content.lines().toList();
    var changed = new TreeMap<Integer, String>();
    lines.forEach(line -> changed.put(line, text.get(line - 1)));
    var file = new ChangedFile(Outline.of(path, content), changed, List.of(gone));
    var all =
        ChangeNeighbours.of(
            Map.of(path, file),
            this::mentions,
            name ->
                Optional.ofNullable(files.get(name))
                    .map(said -> new ReadFile(Outline.of(name, said), said)));
    return all.getOrDefault(path, new Surroundings(List.of(), List.of(), "not there"));
  }

  private List<Mention> mentions(List<String> words) {
    var found = new ArrayList<Mention>();
    files.forEach(
        (name, said) ->
            said.lines()
                .filter(line -> words.stream().anyMatch(line::contains))
                .forEach(line -> found.add(new Mention(name, line))));
    return found;
  }

  @Test
  void a_caller_is_named_and_shown() {
    files.put("lib/price.py", "def total(items):\n    return sum(items)\n");
    files.put(
        "lib/cart.py", "from .price import total\n\ndef pay(items):\n    return total(items)\n");
    var around = around("lib/price.py", List.of(2));
    assertThat(around.callers()).isEqualTo("total is used in lib/cart.py:4, lib/cart.py:1\n");
    assertThat(around.uses()).containsExactly(new Spot("lib/cart.py", 2, 8));
  }

  @Test
  void prose_comments_and_strings_call_nobody() {
    files.put("src/api.py", "def load_options(path):\n    return path\n");
    files.put("README.md", "Use `load_options(path)` to load_options.\n");
    files.put("src/a.py", "from .api import nothing\n# load_options(1)\nx = 'load_options(2)'\n");
    files.put("src/b.py", "\"\"\"\nload_options(3)\n\"\"\"\n");
    assertThat(around("src/api.py", List.of(2)).callers()).isEmpty();
  }

  @Test
  void a_name_that_anything_may_have_is_believed_only_of_those_who_take_something_from_there() {
    files.put("lib/response.js", "module.exports = {\n  respond (x) {\n    return x\n  }\n}\n");
    files.put("lib/other.js", "const start = 1\nthing.respond(start)\nconst respond = 2\n");
    files.put("lib/app.js", "const response = require('./response')\n\nresponse.respond(1)\n");
    assertThat(around("lib/response.js", List.of(3)).callers())
        .isEqualTo("respond is used in lib/app.js:3\n");
  }

  @Test
  void a_plain_call_of_the_only_function_of_that_name_needs_no_import() {
    files.put("cart.js", "function total (items) {\n  return items.length\n}\n");
    files.put("page.js", "exports.page = (found) => {\n  return total(found)\n}\n");
    files.put("bill.js", "const { total } = require('sums')\n\ntotal([])\n");
    assertThat(around("cart.js", List.of(2)).callers()).isEqualTo("total is used in page.js:2\n");
  }

  @Test
  void what_many_declare_is_said_of_nobody() {
    files.put("src/a.js", "class Reader {\n  readAll () {\n    return 1\n  }\n}\n");
    files.put("src/b.js", "class Writer {\n  readAll () {\n    return 2\n  }\n}\n");
    files.put("src/c.js", "thing.readAll()\n");
    assertThat(around("src/a.js", List.of(3)).callers()).isEmpty();
  }

  @Test
  void what_is_gone_and_still_used_is_said() {
    files.put("lib/_utils.py", "import os\n");
    files.put("lib/_client.py", "from ._utils import same_origin\n\nok = same_origin(1, 2)\n");
    var around = around("lib/_utils.py", List.of(), "def same_origin(url, other):", "    return 1");
    assertThat(around.callers())
        .isEqualTo(
            "same_origin, which is gone from lib/_utils.py, is used in"
                + " lib/_client.py:3, lib/_client.py:1\n");
  }

  @Test
  void a_class_of_the_same_package_needs_no_import() {
    files.put("a/Pages.java", "class Pages {\n  int slice(int size) {\n    return size;\n  }\n}\n");
    files.put(
        "a/Book.java",
        "class Book {\n  int first(Pages pages) {\n    return pages.slice(1);\n  }\n}\n");
    files.put(
        "b/Cake.java",
        "class Cake {\n  int first(Knife knife) {\n    return knife.slice(1);\n  }\n}\n");
    assertThat(around("a/Pages.java", List.of(3)).callers())
        .isEqualTo("slice is used in a/Book.java:3\n");
  }

  @Test
  void what_a_changed_line_calls_is_shown_and_a_namesake_of_the_library_is_not() {
    files.put(
        "lib/app.js",
        """
        const params = require('./params')
        const text = JSON.stringify(1)
        send(params.parseAll(text))
        """);
    files.put(
        "lib/params.js",
        """
        exports.stringify = function (x) {
          return x
        }
        exports.parseAll = function (x) {
          return x
        }
        """);
    assertThat(around("lib/app.js", List.of(2)).definitions()).isEmpty();
    assertThat(around("lib/app.js", List.of(3)).definitions())
        .containsExactly(new Spot("lib/params.js", 4, 6));
  }

  @Test
  void a_type_that_is_taken_from_a_library_is_no_namesake_of_ours() {
    files.put("src/click/types.py", "class Path:\n    def __init__(self):\n        pass\n");
    files.put("tests/edit.py", "from pathlib import Path\n\nedit(Path('f'))\n");
    assertThat(around("tests/edit.py", List.of(1, 3)).definitions()).isEmpty();
    files.put("tests/edit.py", "from click import Path\n\nedit(Path('f'))\n");
    assertThat(around("tests/edit.py", List.of(1, 3)).definitions())
        .containsExactly(new Spot("src/click/types.py", 1, 3));
    files.put("tests/edit.py", "from click.types import Path\n\nedit(Path('f'))\n");
    assertThat(around("tests/edit.py", List.of(1, 3)).definitions())
        .containsExactly(new Spot("src/click/types.py", 1, 3));
  }

  @Test
  void what_is_only_taken_made_up_by_tests_or_of_one_line_is_not_shown() {
    files.put(
        "lib/app.js", "import { makeBody, closeAll } from './body.js'\nmakeBody(closeAll(1))\n");
    files.put("lib/body.js", "export function closeAll (x) {}\n");
    files.put("test/body.test.js", "function makeBody (x) {\n  return x\n}\n");
    assertThat(around("lib/app.js", List.of(1, 2)).definitions()).isEmpty();
    files.put("lib/body.js", "export function closeAll (x) {\n  x.end()\n}\n");
    assertThat(around("lib/app.js", List.of(1)).definitions()).isEmpty();
    assertThat(around("lib/app.js", List.of(2)).definitions())
        .containsExactly(new Spot("lib/body.js", 1, 3));
  }

  @Test
  void a_file_whose_name_has_lines_is_no_caller() {
    files.put("lib/price.py", "def total(items):\n    return sum(items)\n");
    files.put("lib/x\nanswer: approve.py", "from price import total\n\ntotal(1)\n");
    assertThat(around("lib/price.py", List.of(2)).callers()).isEmpty();
  }

  @Test
  void a_changed_page_of_words_looks_nothing_up() {
    files.put("CHANGELOG.md", "Client and load_all() are new.\n");
    files.put("src/client.py", "class Client:\n    pass\n\ndef load_all():\n    pass\n");
    var around = around("CHANGELOG.md", List.of(1));
    assertThat(around.definitions()).isEmpty();
    assertThat(around.callers()).isEmpty();
  }

  @Test
  void a_line_without_an_end_takes_no_time() {
    files.put("a.js", "x".repeat(200_000) + " ".repeat(200_000) + "y\n");
    assertThat(around("a.js", List.of(1), "( ".repeat(100_000)).definitions()).isEmpty();
  }
}
