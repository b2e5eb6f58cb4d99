package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code flyball rules}, and the section {@code rules:} of files of settings. */
final class RulesAreTheUsersTest {
  private static final String DEFECT = "def run(text):\n    return eval(text)\n";

  @TempDir Path home;
  private CommandDesk desk;

  @BeforeEach
  void open() throws IOException {
    desk = new CommandDesk(Files.createDirectory(home.resolve("clone")));
    desk.environment.put("HOME", home.toString());
    desk.environment.put("XDG_CONFIG_HOME", home.resolve("config").toString());
    desk.environment.put("XDG_STATE_HOME", home.resolve("state").toString());
    desk.put("src/a.py", DEFECT);
  }

  @AfterEach
  void close() {
    desk.close();
  }

  @Test
  void rules_are_listed_by_language_and_shown_one_by_one() throws IOException {
    assertThat(desk.flyball("rules").out())
        .contains("python/eval-of-text", "java/EqualsNull", "duplicate-code", "rules, ");
    assertThat(desk.flyball("rules", "--language", "go").out())
        .contains("go/shell-from-value")
        .doesNotContain("python/");
    assertThat(desk.flyball("rules", "python/eval-of-text").out())
        .contains("Text is run as code", "CWE-95", "found in:", "not found in:", "flyball:ignore");
    var json =
        new ObjectMapper().readTree(desk.flyball("rules", "python/eval-of-text", "--json").out());
    assertThat(json.get("cwe").get(0).asInt()).isEqualTo(95);
    assertThat(json.get("on").asBoolean()).isTrue();
    assertThat(json.get("matches")).hasSizeGreaterThan(2);
  }

  @Test
  void a_rule_that_is_not_there_is_refused_with_what_may_have_been_meant() {
    var screen = desk.flyball("rules", "python/eval-of-txt");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("did you mean python/eval-of-text?");
    assertThat(desk.flyball("rules", "--language", "cobol").exit()).isEqualTo(2);
  }

  @Test
  void a_file_of_settings_switches_weighs_and_scopes() throws IOException {
    assertThat(desk.flyball("review", ".").out()).contains("python/eval-of-text", "1 major");
    desk.put("flyball.yaml", "rules:\n  python/eval-of-text: off\n");
    assertThat(desk.flyball("review", ".").out()).doesNotContain("▲ major");
    assertThat(desk.flyball("rules", "python/eval-of-text").out()).contains("is:         off");
    desk.put("flyball.yaml", "rules:\n  python/eval-of-text: critical\n");
    assertThat(desk.flyball("review", ".").out()).contains("1 critical");
    desk.put("flyball.yaml", "rules:\n  python/*: {except: [\"src/**\"]}\n");
    assertThat(desk.flyball("review", ".").out()).contains("0 critical · 0 major");
  }

  @Test
  void the_user_has_the_last_word() throws IOException {
    desk.put("flyball.yaml", "rules:\n  python/eval-of-text: off\n");
    Files.createDirectories(home.resolve("config/flyball"));
    Files.writeString(
        home.resolve("config/flyball/config.yaml"), "rules:\n  python/eval-of-text: minor\n");
    assertThat(desk.flyball("review", ".").out()).contains("1 minor");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          python/eval-of-txt: off              | did you mean python/eval-of-text?
          EqualsNull: off                      | did you mean java/EqualsNull?
          python/eval-of-text: loud            | on, off, critical, major or minor
          python/eval-of-text: {weight: 3}     | on, severity, paths and except
          python/eval-of-text: {severity: bad} | critical, major or minor
          secret: off                          | only your own config.yaml can change it
          '*: off'                             |
          """)
  void what_cannot_be_is_refused_with_its_place(String line, String why) throws IOException {
    desk.put("flyball.yaml", "rules:\n  " + (why == null ? "\"*\": off" : line) + "\n");
    var screen = desk.flyball("review", ".");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err())
        .contains(
            "flyball.yaml line 2", why == null ? "only your own config.yaml can change it" : why);
  }

  @Test
  void a_change_does_not_switch_off_what_is_said_of_it() throws Exception {
    desk.put("src/a.py", "def run(text):\n    return text\n");
    desk.git("init", "-q", "-b", "main");
    desk.commit("first");
    desk.put("src/a.py", DEFECT);
    desk.put("flyball.yaml", "rules:\n  python/eval-of-text: off\n");
    desk.git("add", ".");
    assertThat(desk.flyball("review", "--staged").out()).contains("python/eval-of-text");
  }

  @Test
  void files_have_all_findings_in_every_format() throws IOException {
    var code = new StringBuilder("def run(text):\n");
    for (int i = 0; i < 120; i++) {
      code.append("    eval(text + \"").append(i).append("\")\n");
    }
    desk.put("src/a.py", code.toString());
    desk.flyball(
        "review",
        ".",
        "--format",
        "markdown=out/a.md",
        "--format",
        "annotations=out/a.txt",
        "--format",
        "sarif=out/a.sarif",
        "--format",
        "json=out/a.json",
        "--format",
        "terminal=out/a.screen");
    var out = home.resolve("clone/out");
    for (int line = 2; line <= 121; line++) {
      assertThat(Files.readString(out.resolve("a.md"))).contains("a.py:" + line + "`");
      assertThat(Files.readString(out.resolve("a.txt"))).contains("line=" + line + ",");
      assertThat(Files.readString(out.resolve("a.screen"))).containsPattern("a.py:" + line + "\\b");
    }
    assertThat(new ObjectMapper().readTree(out.resolve("a.json").toFile()).get("findings"))
        .hasSize(120);
    assertThat(new ObjectMapper().readTree(out.resolve("a.sarif").toFile()).at("/runs/0/results"))
        .hasSize(120);
  }
}
