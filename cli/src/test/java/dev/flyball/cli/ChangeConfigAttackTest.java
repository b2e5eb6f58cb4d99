package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A change that brings its own {@code flyball.yaml}. Whatever way a command is told that it is
 * about that change, the file before it is in force: its model is the one that is asked.
 */
final class ChangeConfigAttackTest {
  private static final String BEFORE = "model: claude-before\nreview:\n  fail-on: major\n";
  private static final String CHANGED = "model: claude-changed\nreview:\n  fail-on: none\n";

  @TempDir Path home;
  private CommandDesk desk;
  private RecordingProvider provider;

  @BeforeEach
  void open() throws Exception {
    desk = new CommandDesk(Files.createDirectory(home.resolve("clone")));
    provider = RecordingProvider.start();
    desk.environment.put("HOME", home.toString());
    desk.environment.put("XDG_CONFIG_HOME", home.resolve("config").toString());
    desk.environment.put("XDG_STATE_HOME", home.resolve("state").toString());
    desk.environment.put("ANTHROPIC_API_KEY", "sk-ant-canary-0123456789");
    desk.environment.put("ANTHROPIC_BASE_URL", provider.address().toString());
    desk.git("init", "-q", "-b", "main");
    desk.put("flyball.yaml", BEFORE);
    desk.put("src/flyball.yaml", BEFORE);
    desk.put("src/calc.py", "def add(a, b):\n    return a + b\n");
    desk.commit("first");
    desk.git("checkout", "-q", "-b", "pr");
    change();
  }

  private void change() throws IOException {
    desk.put("flyball.yaml", CHANGED);
    desk.put("src/flyball.yaml", CHANGED);
    desk.put("src/calc.py", "def add(a, b):\n    return a - b\n");
  }

  @AfterEach
  void close() {
    provider.close();
    desk.close();
  }

  private CommandDesk.Screen flyball(Path folder, String... args) {
    try (var there = new CommandDesk(folder)) {
      there.environment.clear();
      there.environment.putAll(desk.environment);
      return there.flyball(args);
    }
  }

  private void isAskedAsBefore(CommandDesk.Screen screen) {
    assertThat(provider.heard()).as(screen.out() + screen.err()).isNotEmpty();
    assertThat(provider.heard())
        .allSatisfy(each -> assertThat(each.body()).contains("\"claude-before\""));
    assertThat(screen.err()).contains("flyball: this change edits flyball.yaml");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "review --diff main...HEAD",
        "review --diff=main...HEAD",
        "review --diff main..pr",
        "review --diff HEAD",
        "review . --progress none --diff=main...HEAD",
        "review --progress=none --diff main...HEAD .",
        "review --diff main...HEAD src",
        "review @ARGS",
        "@ARGS",
        "FLYBALL_DIFF review",
        "FLYBALL_DIFF review src",
        "FLYBALL_DIFF review --budget-tokens 90000 --fail-on=minor",
        "USER review",
        "USERTOP review"
      })
  void a_change_of_commits_never_configures_its_review(String line) throws Exception {
    desk.commit("second");
    for (var folder : List.of(desk.folder, desk.file("src"))) {
      provider.begin(List.of());
      var words = new ArrayList<>(List.of(line.split(" ")));
      if (!folder.equals(desk.folder)) {
        words.removeIf("src"::equals);
      }
      var door = words.getFirst();
      var args = home.resolve("args");
      Files.writeString(args, (door.equals("@ARGS") ? "review\n" : "") + "--diff\nmain...HEAD\n");
      desk.environment.remove("FLYBALL_DIFF");
      Files.createDirectories(home.resolve("config/flyball"));
      Files.writeString(
          home.resolve("config/flyball/config.yaml"),
          switch (door) {
            case "USER" -> "review:\n  diff: main...HEAD\n";
            case "USERTOP" -> "diff: main...HEAD\n";
            default -> "";
          });
      if (door.equals("FLYBALL_DIFF")) {
        desk.environment.put("FLYBALL_DIFF", "main...HEAD");
      }
      words.removeIf(List.of("FLYBALL_DIFF", "USER", "USERTOP")::contains);
      words.replaceAll(word -> word.equals("@ARGS") ? "@" + args : word);
      isAskedAsBefore(flyball(folder, words.toArray(String[]::new)));
      forgetAnswers();
    }
  }

  /** So that the next review asks again. */
  private void forgetAnswers() throws IOException {
    for (var folder : List.of(desk.file(".flyball"), home.resolve("state"))) {
      if (Files.exists(folder)) {
        try (var files = Files.walk(folder)) {
          for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--staged", "--worktree", "FLYBALL_STAGED", "FLYBALL_WORKTREE"})
  void a_change_that_is_not_committed_never_configures_its_review(String door) throws Exception {
    desk.git("add", "-A");
    var words = new ArrayList<>(List.of("review", "--no-history"));
    if (door.startsWith("--")) {
      words.add(door);
    } else {
      desk.environment.put(door, "true");
    }
    isAskedAsBefore(desk.flyball(words.toArray(String[]::new)));
  }

  private Path patch() throws Exception {
    var file = home.resolve("change.diff");
    var process =
        new ProcessBuilder("git", "diff", "main", "--", "flyball.yaml", "src/calc.py")
            .directory(desk.folder.toFile())
            .redirectOutput(file.toFile())
            .start();
    assertThat(process.waitFor()).isZero();
    return file;
  }

  @ParameterizedTest
  @ValueSource(strings = {"--patch", "--patch=", "FLYBALL_PATCH", "-"})
  void a_patch_never_configures_its_review(String door) throws Exception {
    var file = patch();
    desk.git("checkout", "-q", "main", "--", ".");
    desk.git("reset", "-q", "--hard", "main");
    var words = new ArrayList<>(List.of("review", "--no-history"));
    var input = System.in;
    switch (door) {
      case "--patch" -> words.addAll(List.of("--patch", file.toString()));
      case "--patch=" -> words.add("--patch=" + file);
      case "FLYBALL_PATCH" -> desk.environment.put("FLYBALL_PATCH", file.toString());
      default -> {
        words.addAll(List.of("--patch", "-"));
        System.setIn(new ByteArrayInputStream(Files.readAllBytes(file)));
      }
    }
    try {
      isAskedAsBefore(desk.flyball(words.toArray(String[]::new)));
    } finally {
      System.setIn(input);
    }
  }

  @Test
  void a_patch_that_is_applied_already_does_not_configure_its_review() throws Exception {
    var screen = desk.flyball("review", "--no-history", "--patch", patch().toString());
    // It ends, or the file before it is in force: never the one that the patch brought.
    if (screen.exit() == 2) {
      assertThat(screen.err()).contains("before the patch cannot be told");
    }
    assertThat(provider.heard())
        .allSatisfy(each -> assertThat(each.body()).contains("\"claude-before\""));
  }

  @Test
  void a_patch_from_above_does_not_configure_its_review_from_below() throws Exception {
    desk.put("src/flyball.yaml", CHANGED);
    var file = home.resolve("change.diff");
    new ProcessBuilder("git", "diff", "main")
        .directory(desk.folder.toFile())
        .redirectOutput(file.toFile())
        .start()
        .waitFor();
    var screen = flyball(desk.file("src"), "review", "--no-history", "--patch", file.toString());
    assertThat(screen.exit()).as(screen.err()).isEqualTo(2);
    assertThat(screen.err()).contains("run this where its paths begin");
    assertThat(provider.heard()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"estimate --json --diff main...HEAD", "review --plan --diff main...HEAD"})
  void a_plan_is_made_as_before_the_change(String line) throws Exception {
    desk.commit("second");
    var screen = desk.flyball(line.split(" "));
    assertThat(screen.exit()).as(screen.err()).isZero();
    assertThat(screen.out()).contains("claude-before").doesNotContain("claude-changed");
    assertThat(provider.heard()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nobody...HEAD", "main...nobody", "--upload-pack=x"})
  void a_range_that_is_none_ends_the_command(String range) throws Exception {
    desk.commit("second");
    var screen = desk.flyball("review", "--diff=" + range);
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(provider.heard()).isEmpty();
  }

  @Test
  void a_folder_that_is_no_repository_ends_the_command() throws Exception {
    var plain = Files.createDirectory(home.resolve("plain"));
    Files.writeString(plain.resolve("flyball.yaml"), CHANGED);
    var screen = flyball(plain, "review", "--diff", "main...HEAD");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(provider.heard()).isEmpty();
  }

  @Test
  void a_change_that_takes_the_file_away_does_not_loosen_the_gate() throws Exception {
    Files.delete(desk.file("flyball.yaml"));
    Files.delete(desk.file("src/flyball.yaml"));
    desk.commit("second");
    isAskedAsBefore(desk.flyball("review", "--diff", "main...HEAD", "--no-history"));
  }

  @Test
  void the_file_of_a_folder_outside_the_repository_is_a_projects_file() throws Exception {
    desk.commit("second");
    var outside = Files.createDirectory(home.resolve("outside"));
    Files.writeString(outside.resolve("flyball.yaml"), "base-url: " + provider.address() + "\n");
    var words = new String[] {"review", desk.folder.toString(), "--diff=main...HEAD"};
    assertThat(flyball(outside, words).exit()).isEqualTo(2);
    assertThat(provider.heard()).isEmpty();
    Files.writeString(outside.resolve("flyball.yaml"), "model: claude-outside\n");
    flyball(outside, Arrays.copyOf(words, words.length));
    assertThat(provider.heard())
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.body()).contains("\"claude-outside\""));
  }
}
