package dev.flyball.review.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.review.symbol.Covered.Damaged;
import dev.flyball.review.symbol.Covered.Lines;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What reports say of the lines of a file. */
@Timeout(120)
final class CoveredTest {
  private static final String JACOCO =
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
      <report name="core"><sessioninfo id="a" start="1" dump="2"/>
        <package name="org/acme">
          <class name="org/acme/Foo" sourcefilename="Foo.java">
            <method name="run" desc="()V" line="3"><counter type="LINE" missed="1" covered="2"/></method>
          </class>
          <sourcefile name="Foo.java">
            <line nr="3" mi="0" ci="2" mb="0" cb="0"/>
            <line nr="4" mi="2" ci="1" mb="1" cb="1"/>
            <line nr="7" mi="5" ci="0" mb="0" cb="0"/>
            <counter type="LINE" missed="1" covered="2"/>
          </sourcefile>
          <sourcefile name="package-info.java"/>
        </package>
        <package name=""><sourcefile name="Bare.java"><line nr="1" mi="0" ci="2"/></sourcefile></package>
      </report>
      """;

  private static final String LCOV =
      """
      TN:
      SF:src/a.ts
      FN:1,run
      FNDA:1,run
      DA:1,4
      DA:2,0,abcdef
      DA:5,1
      LF:3
      LH:2
      end_of_record
      """;

  @TempDir Path folder;

  @Test
  void jacoco_tells_lines_by_package_and_file() throws Exception {
    var covered = Covered.ofJacoco(in(JACOCO), "jacoco.xml");
    var foo = covered.of("core/src/main/java/org/acme/Foo.java");
    assertThat(foo).contains(lines("3 4", "7"));
    assertThat(covered.of("org/acme/Foo.java")).isEqualTo(foo);
    assertThat(covered.of("src/Bare.java")).contains(lines("1", ""));
    assertThat(covered.of("core/src/main/java/acme/Foo.java")).isEmpty();
    assertThat(covered.of("core/src/main/java/reorg/acme/Foo.java")).isEmpty();
    assertThat(covered.of("core/org/acme/XFoo.java")).isEmpty();
    assertThat(covered.of("src/org/acme/package-info.java")).isEmpty();
  }

  @Test
  void lcov_tells_lines_by_path() throws Exception {
    var covered =
        Covered.ofLcov(in(LCOV + LCOV.replace("\n", "\r\n").replace("a.ts", "b.ts")), "l");
    assertThat(covered.of("src/a.ts")).contains(lines("1 5", "2"));
    assertThat(covered.of("web/src/b.ts")).contains(lines("1 5", "2"));
    assertThat(covered.of("a.ts")).isEmpty();
  }

  @Test
  void istanbul_tells_lines_by_the_statements_that_begin_on_them() throws Exception {
    var covered =
        Covered.ofIstanbul(
            in(
                """
                {"/home/ci/web/src/a.ts": {"path": "/home/ci/web/src/a.ts",
                  "statementMap": {
                    "0": {"start": {"line": 1, "column": 0}, "end": {"line": 9, "column": null}},
                    "1": {"start": {"line": 3, "column": 0}, "end": {"line": 3, "column": 1}},
                    "2": {"start": {"line": 3, "column": 5}, "end": {"line": 3, "column": 9}},
                    "3": {"start": {"line": 4, "column": 5}, "end": {"line": 4, "column": 9}}},
                  "fnMap": {"0": {"name": "f", "loc": {"start": {"line": 30}}}}, "branchMap": {},
                  "s": {"0": 1, "1": 0, "2": 7, "3": 0}, "f": {"0": 1}, "b": {"0": [1, 0]}},
                 "C:\\\\ci\\\\web\\\\src\\\\b.ts": {"s": {"0": 0}, "statementMap": {"0": {"start": {"line": 2}}}}}
                """),
            "c");
    assertThat(covered.of("src/a.ts")).contains(lines("1 3", "4"));
    assertThat(covered.of("web/src/a.ts")).contains(lines("1 3", "4"));
    assertThat(covered.of("src/b.ts")).contains(lines("", "2"));
    assertThat(covered.of("rc/b.ts")).isEmpty();
  }

  @Test
  void what_fits_in_two_ways_is_not_believed() throws Exception {
    var absolute = Covered.ofLcov(in(lcov("/w/src/a.ts") + lcov("/w/sub/src/a.ts")), "l");
    assertThat(absolute.of("src/a.ts")).isEmpty();
    assertThat(absolute.of("sub/src/a.ts")).isPresent();
    var modules =
        Covered.ofJacoco(
            in(
                "<report><group name='a'>%s</group><group name='b'>%s</group></report>"
                    .formatted(jacoco("org/acme"), jacoco("org/acme"))),
            "j");
    assertThat(modules.of("a/src/main/java/org/acme/Foo.java")).isEmpty();
  }

  @Test
  void where_all_paths_are_known_a_file_of_a_report_is_one_of_them_at_most() throws Exception {
    var covered = Covered.ofJacoco(in(JACOCO), "j");
    var a = "a/src/org/acme/Foo.java";
    assertThat(covered.of(List.of(a, "x"))).isEqualTo(Map.of(a, lines("3 4", "7")));
    assertThat(covered.of(List.of(a, "b/src/org/acme/Foo.java"))).isEmpty();
    assertThat(covered.of(List.of(a, "org/acme/Foo.java"))).containsOnlyKeys("org/acme/Foo.java");
    assertThat(Covered.ofLcov(in(lcov("/w/src/a.ts")), "l").of(List.of("a.ts", "src/a.ts")))
        .containsOnlyKeys("src/a.ts");
  }

  @Test
  void a_share_is_of_the_lines_that_could_be_run() {
    var lines = lines("3 4", "7");
    assertThat(lines.share()).isEqualTo(66);
    assertThat(lines.percent(3, 4)).hasValue(100);
    assertThat(lines.percent(4, 7)).hasValue(50);
    assertThat(lines.percent(7, Integer.MAX_VALUE)).hasValue(0);
    assertThat(lines.percent(Integer.MIN_VALUE, 3)).hasValue(100);
    assertThat(lines.percent(5, 6)).isEmpty();
    assertThat(lines.percent(8, 100)).isEmpty();
    assertThat(lines.percent(7, 3)).isEmpty();
    lines.covered().clear();
    assertThat(lines.share()).isEqualTo(66);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> lines("1 2", "2 3"))
        .withMessage("a line is covered or missed, but one was both");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> lines("", ""))
        .withMessage("some line could be run, but there was none");
  }

  @Test
  void nothing_outside_the_report_is_read() throws Exception {
    var secret = Files.writeString(folder.resolve("secret"), "Secret.java");
    for (var type :
        List.of(
            "<!DOCTYPE report [<!ENTITY x SYSTEM '%s'>]>".formatted(secret.toUri()),
            "<!DOCTYPE report [<!ENTITY %% p SYSTEM '%s'> %%p;]>".formatted(secret.toUri()),
            "<!DOCTYPE report SYSTEM '%s'>".formatted(secret.toUri()),
            "<!DOCTYPE report SYSTEM 'http://localhost:1/report.dtd'>",
            "<!DOCTYPE report [<!ENTITY x 'lol'><!ENTITY y '&x;&x;&x;&x;'>]>")) {
      var text = "<report name='&x;'>&x;" + jacoco("&x;") + "</report>";
      assertThatThrownBy(() -> Covered.ofJacoco(in(type + text), "j"))
          .as(type)
          .isInstanceOf(Damaged.class)
          .hasMessageNotContaining("Secret.java");
      var plain = "<report name=''>" + jacoco("org") + "</report>";
      assertThat(Covered.ofJacoco(in(type + plain), "j").of("org/Foo.java")).as(type).isPresent();
    }
  }

  @Test
  void damage_is_named_with_its_place() {
    jacocoRefused("", "j:1: is not XML: ");
    jacocoRefused("<report>\n<package", "j:2: is not XML: ");
    jacocoRefused(
        "\n<coverage/>", "j:2: a report of JaCoCo is a <report>, but this is a <coverage>");
    jacocoRefused(
        "<report>\n<package/></report>", "j:2: a <package> has name, but this one has not");
    jacocoRefused(
        "<report><line nr='1' ci='1'/></report>",
        "j:1: a line belongs to a source file, but this one does not");
    var one = "<report><package name='a'><sourcefile name='b'>\n<line nr='%s' ci='1'/>";
    jacocoRefused(one.formatted("x"), "j:2: nr of a line is a number, but it was x");
    jacocoRefused(
        one.formatted("2147483647"),
        "j:2: lines are numbered from 1 to 1000000, but one was 2147483647");

    lcovRefused(
        "<html>", "l:1: a line is WORD:..., end_of_record or a comment, but this one is not");
    lcovRefused("TN:\nDA:1,1", "l:2: DA comes after SF, but this one does not");
    lcovRefused("SF:a\nDA:x,1", "l:2: DA is a line and how often it was run, but this one is not");
    lcovRefused("SF:a\nDA:0,1", "l:2: lines are numbered from 1 to 1000000, but one was 0");
    lcovRefused("SF:a\nDA:1,1\n", "l:2: a file ends with end_of_record, but the last one does not");
    lcovRefused("SF:a\nSF:b", "l:2: a file ends with end_of_record, but the one before does not");
    lcovRefused("SF: ", "l:1: a file has a name of up to 4096 characters, but one had 0");
    lcovRefused("S".repeat(10_001), "l:1: a line has up to 10000 characters");

    istanbulRefused("", "i:1: the report is an object, but this is not");
    istanbulRefused("[]", "i:1: the report is an object, but this is not");
    istanbulRefused("{\n\"a\": 3}", "i:2: a file is an object, but this is not");
    istanbulRefused("{\n\"a\": {oops", "i:2: is not JSON: ");
    istanbulRefused("{\"a\": {\"s\": {\"0\":", "i:1: is not JSON: ");
    istanbulRefused(
        "{\"a\": {\"s\":\n{\"0\": \"x\"}}}", "i:2: a line and a count are numbers, but");
    istanbulRefused("{} {}", "i:1: a report ends with its files, but this one goes on");
  }

  @Test
  void a_damaged_report_is_refused_and_breaks_nothing() {
    var istanbul =
        "{\"/a.ts\":{\"statementMap\":{\"0\":{\"start\":{\"line\":1}}},\"s\":{\"0\":1}}}";
    for (long seed = 0; seed < 2_000; seed++) {
      var random = new Random(seed);
      for (var text : List.of(JACOCO, LCOV, istanbul)) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i >= 0; i--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        var cut = Arrays.copyOf(bytes, random.nextInt(bytes.length) + 1);
        for (var read : List.<Reader>of(Covered::ofJacoco, Covered::ofLcov, Covered::ofIstanbul)) {
          try {
            read.read(new ByteArrayInputStream(cut), "r");
          } catch (Damaged damaged) {
            assertThat(damaged).as("seed %d", seed).hasMessageStartingWith("r:");
          }
        }
      }
    }
  }

  @Test
  void reports_are_found_where_build_tools_put_them_and_put_together() throws Exception {
    write("core/target/site/jacoco/jacoco.xml", JACOCO);
    write("core/target/site/jacoco-it/jacoco.xml", JACOCO.replace("ci=\"0\"", "ci=\"1\""));
    write("other/build/reports/jacoco/test/jacocoTestReport.xml", JACOCO);
    write("web/src/a.ts", "");
    write("web/coverage/lcov.info", LCOV);
    write(
        "web/coverage/coverage-final.json",
        "{\"%s\":{\"statementMap\":{\"0\":{\"start\":{\"line\":2}}},\"s\":{\"0\":1}}}"
            .formatted(folder.toAbsolutePath().resolve("web/src/a.ts")));
    write("web/node_modules/x/coverage/lcov.info", lcov("src/hidden.ts"));
    write("a/b/c/d/e/coverage/lcov.info", lcov("src/deep.ts"));
    var covered = Covered.find(folder).orElseThrow();
    assertThat(covered.unread()).isEmpty();
    assertThat(covered.of("core/src/main/java/org/acme/Foo.java")).contains(lines("3 4 7", ""));
    assertThat(covered.of("other/src/main/java/org/acme/Foo.java")).contains(lines("3 4", "7"));
    assertThat(covered.of("third/src/main/java/org/acme/Foo.java")).isEmpty();
    assertThat(covered.of("web/src/a.ts")).contains(lines("1 2 5", ""));
    assertThat(covered.of("other/src/a.ts")).isEmpty();
    assertThat(covered.of("web/src/hidden.ts")).isEmpty();
    assertThat(covered.of("a/b/c/d/e/src/deep.ts")).isEmpty();
  }

  @Test
  void a_report_of_all_modules_is_of_all_modules() throws Exception {
    write("all/target/site/jacoco-aggregate/jacoco.xml", JACOCO);
    var covered = Covered.find(folder).orElseThrow();
    assertThat(covered.of("core/src/main/java/org/acme/Foo.java")).isPresent();
  }

  @Test
  void reports_may_be_gathered_in_folders_that_are_named_as_their_modules() throws Exception {
    write("apps/web/src/a.ts", "");
    write("apps/desk/src/a.ts", "");
    write("coverage/apps/web/lcov.info", LCOV);
    var covered = Covered.find(folder).orElseThrow();
    assertThat(covered.of("apps/web/src/a.ts")).contains(lines("1 5", "2"));
    assertThat(covered.of("apps/desk/src/a.ts")).isEmpty();
  }

  @Test
  void a_damaged_report_does_not_spoil_the_others() throws Exception {
    write("lcov.info", "oops");
    write("core/target/site/jacoco/jacoco.xml", JACOCO);
    Files.createDirectories(folder.resolve("web"));
    var covered = Covered.find(folder).orElseThrow();
    assertThat(covered.of("core/org/acme/Foo.java")).isPresent();
    assertThat(covered.unread())
        .containsExactly(
            "lcov.info:1: a line is WORD:..., end_of_record or a comment, but this one is not");
  }

  @Test
  void a_link_out_of_the_repository_is_not_followed() throws Exception {
    write("outside/lcov.info", LCOV);
    write("outside/coverage/lcov.info", LCOV);
    var inside = Files.createDirectories(folder.resolve("inside/web"));
    Files.createSymbolicLink(inside.resolve("lcov.info"), folder.resolve("outside/lcov.info"));
    Files.createSymbolicLink(inside.resolve("coverage"), folder.resolve("outside/coverage"));
    Files.createSymbolicLink(inside.resolve("round"), folder.resolve("inside"));
    var covered = Covered.find(folder.resolve("inside")).orElseThrow();
    assertThat(covered.of("web/src/a.ts")).isEmpty();
    assertThat(covered.unread())
        .containsExactly(
            "web/coverage/lcov.info: a report is in the repository, but a link leads out of it");
  }

  @Test
  void without_a_report_nothing_is_known() throws Exception {
    assertThat(Covered.find(folder)).isEmpty();
    assertThat(Covered.find(folder.resolve("missing"))).isEmpty();
  }

  @Test
  void many_files_of_one_name_take_no_square_of_them() throws Exception {
    var text = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      text.append(lcov("/home/ci/work/packages/p" + i + "/src/index.ts"));
    }
    var covered = Covered.ofLcov(in(text.toString()), "l");
    for (int i = 0; i < 50_000; i++) {
      assertThat(covered.of("packages/p" + i + "/src/index.ts")).isPresent();
    }
    assertThat(covered.of("src/index.ts")).isEmpty();
    assertThat(covered.of("a/".repeat(100_000))).isEmpty();
  }

  /** One of the ways to read a report. */
  private interface Reader {
    Covered read(InputStream in, String name) throws Damaged;
  }

  private void write(String path, String text) throws Exception {
    var file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static String lcov(String file) {
    return "SF:" + file + "\nDA:1,1\nend_of_record\n";
  }

  private static String jacoco(String pack) {
    return "<package name='%s'><sourcefile name='Foo.java'><line nr='1' ci='1'/></sourcefile></package>"
        .formatted(pack);
  }

  private static void jacocoRefused(String text, String message) {
    refused(Covered::ofJacoco, text, "j", message);
  }

  private static void lcovRefused(String text, String message) {
    refused(Covered::ofLcov, text, "l", message);
  }

  private static void istanbulRefused(String text, String message) {
    refused(Covered::ofIstanbul, text, "i", message);
  }

  private static void refused(Reader reader, String text, String name, String message) {
    assertThatThrownBy(() -> reader.read(in(text), name))
        .isInstanceOf(Damaged.class)
        .hasMessageStartingWith(message);
  }

  private static InputStream in(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Lines lines(String covered, String missed) {
    return new Lines(bits(covered), bits(missed));
  }

  private static BitSet bits(String numbers) {
    var bits = new BitSet();
    Arrays.stream(numbers.split(" ", -1))
        .filter(number -> !number.isEmpty())
        .forEach(number -> bits.set(Integer.parseInt(number)));
    return bits;
  }
}
