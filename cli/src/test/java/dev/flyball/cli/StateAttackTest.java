package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Repositories that bring state of their own, or lead ours astray. */
@Timeout(120)
class StateAttackTest {
  @TempDir private Path folder;
  private CommandDesk desk;
  private RecordingProvider provider;

  @BeforeEach
  void clone_a_strangers_repository() throws Exception {
    desk = new CommandDesk(Files.createDirectory(folder.resolve("here")));
    desk.environment.put("FLYBALL_STATE", folder.resolve("state").toString());
    provider = RecordingProvider.start();
    desk.git("init", "-q");
    desk.put("src/calc.py", "def add(a, b):\n    return a + b\n");
    desk.commit("first");
    desk.put("src/calc.py", "import os\n\n\ndef add(a, b):\n    return os.path.join(a, b)\n");
    desk.commit("second");
  }

  @AfterEach
  void leave() {
    provider.close();
    desk.close();
  }

  private CommandDesk.Screen reviewAt(RecordingProvider asked, String... more) {
    var words = new ArrayList<>(List.of("review", "--provider", "anthropic", "--model", "m1"));
    words.addAll(List.of("--base-url", asked.address().toString(), "--format", "json"));
    words.addAll(List.of(more));
    return desk.flyball(words.toArray(String[]::new));
  }

  private CommandDesk.Screen review(String... more) {
    return reviewAt(provider, more);
  }

  private CommandDesk.Screen reviewChange() {
    return review("--diff", "HEAD~1..HEAD");
  }

  private static JsonNode json(CommandDesk.Screen screen) throws IOException {
    assertThat(screen.out()).as(screen.err()).startsWith("{");
    return CommandDesk.JSON.readTree(screen.out());
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var all = Files.walk(from)) {
      for (var each : all.toList()) {
        var target = to.resolve(from.relativize(each).toString());
        if (Files.isDirectory(each)) {
          Files.createDirectories(target);
        } else {
          Files.copy(each, target);
        }
      }
    }
  }

  /** Every file below a folder with what it says, and every link with where it leads. */
  private static Map<String, String> everything(Path top) throws IOException {
    var found = new TreeMap<String, String>();
    try (var all = Files.walk(top)) {
      for (var each : all.toList()) {
        var name = top.relativize(each).toString();
        if (Files.isSymbolicLink(each)) {
          found.put(name, "-> " + Files.readSymbolicLink(each));
        } else if (Files.isDirectory(each)) {
          found.put(name, "/");
        } else {
          found.put(name, Files.readString(each, StandardCharsets.ISO_8859_1));
        }
      }
    }
    return found;
  }

  @Test
  void a_change_that_ships_its_own_answers_is_asked_all_the_same() throws Exception {
    assertThat(json(reviewChange()).path("verdict").asText()).isEqualTo("approved");
    var shipped = folder.resolve("shipped");
    Files.move(folder.resolve("state"), shipped);
    for (var guess :
        List.of(
            ".flyball",
            ".flyball/runs",
            ".flyball/state",
            ".flyball/state/flyball",
            "state",
            "state/flyball",
            "flyball",
            ".local/state/flyball")) {
      copy(shipped, desk.file(guess));
    }
    var journal = Files.readString(only(shipped, "units.jsonl"));
    desk.put(".flyball/runs/39a1f226-2bcd/units.jsonl", journal);
    var before = everything(desk.folder);
    provider.begin(List.of());

    var screen = reviewChange();

    assertThat(provider.wasShown("os.path.join")).isTrue();
    assertThat(json(screen).path("usage").path("cached").asInt()).isZero();
    assertThat(json(screen).path("usage").path("asked").asInt()).isPositive();
    assertThat(everything(desk.folder)).isEqualTo(before);
    var heard = provider.heard().size();
    assertThat(json(reviewChange()).path("usage").path("asked").asInt()).isZero();
    assertThat(provider.heard()).hasSize(heard);
  }

  @Test
  void tracked_answers_are_no_better() throws Exception {
    reviewChange();
    Files.move(folder.resolve("state"), folder.resolve("shipped"));
    copy(folder.resolve("shipped"), desk.file(".flyball"));
    desk.put("src/calc.py", "import os\n\n\ndef add(a, b):\n    os.system('sh -c ' + b)\n");
    desk.git("add", "-f", "-A");
    desk.git("commit", "-qm", "third");
    provider.begin(List.of());

    assertThat(json(reviewChange()).path("usage").path("cached").asInt()).isZero();
    assertThat(provider.wasShown("os.system")).isTrue();
  }

  private static Path only(Path top, String name) throws IOException {
    try (var all = Files.walk(top)) {
      return all.filter(file -> file.endsWith(name)).findFirst().orElseThrow();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HOME", "XDG_STATE_HOME", "FLYBALL_STATE", "linked"})
  void state_in_what_is_reviewed_is_refused_before_it_is_opened(String how) throws Exception {
    reviewChange();
    var at = desk.file(how.equals("HOME") ? ".local/state/flyball" : "kept/flyball");
    copy(folder.resolve("state"), at);
    desk.environment.remove("FLYBALL_STATE");
    desk.environment.remove("XDG_STATE_HOME");
    switch (how) {
      case "HOME" -> desk.environment.put("HOME", desk.folder.toString());
      case "XDG_STATE_HOME" -> desk.environment.put(how, desk.file("kept").toString());
      case "FLYBALL_STATE" -> desk.environment.put(how, at.toString());
      default ->
          desk.environment.put(
              "FLYBALL_STATE",
              Files.createSymbolicLink(folder.resolve("elsewhere"), at).toString());
    }
    Files.writeString(at.resolve("history.db"), "garbage");
    provider.begin(List.of());
    var before = everything(desk.folder);

    for (var screen :
        List.of(
            reviewChange(),
            review("src", "--yes"),
            review("--plan", "--diff", "HEAD~1..HEAD"),
            desk.flyball("estimate", "."))) {
      assertThat(screen.exit()).isEqualTo(2);
      assertThat(screen.err())
          .contains("state is kept outside of what is reviewed", "FLYBALL_STATE")
          .doesNotContain("garbage", "\tat ");
    }
    assertThat(provider.heard()).isEmpty();
    assertThat(everything(desk.folder)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "state", "./state", "../state"})
  void state_is_kept_under_an_absolute_path(String value) {
    desk.environment.put("FLYBALL_STATE", value);
    for (var screen : List.of(reviewChange(), desk.flyball("usage"), desk.flyball("lanes"))) {
      assertThat(screen.exit()).isEqualTo(2);
      assertThat(screen.err()).contains("FLYBALL_STATE: must be an absolute path, not '" + value);
    }
    assertThat(provider.heard()).isEmpty();
  }

  @Test
  void answers_of_one_endpoint_count_for_no_other() throws Exception {
    assertThat(json(reviewChange()).path("usage").path("asked").asInt()).isPositive();
    try (var other = RecordingProvider.start()) {
      var screen = reviewAt(other, "--diff", "HEAD~1..HEAD");
      assertThat(json(screen).path("usage").path("cached").asInt()).isZero();
      assertThat(other.wasShown("os.path.join")).isTrue();
    }
    provider.begin(List.of());
    var path = provider.address() + "/deputy";
    var words = List.of("review", "--provider", "anthropic", "--model", "m1", "--format", "json");
    for (var more :
        List.of(
            List.of("--base-url", path),
            List.of("--base-url", provider.address().toString(), "--header", "x-route=b"),
            List.of("--base-url", provider.address().toString(), "--model", "m2"))) {
      provider.begin(List.of());
      var all = new ArrayList<>(words);
      if (more.contains("--model")) {
        all.remove("--model");
        all.remove("m1");
      }
      all.addAll(more);
      all.addAll(List.of("--diff", "HEAD~1..HEAD"));
      var screen = desk.flyball(all.toArray(String[]::new));
      assertThat(json(screen).path("usage").path("cached").asInt()).as("%s", more).isZero();
      assertThat(provider.heard()).isNotEmpty();
    }
    provider.begin(List.of());
    desk.environment.put("ANTHROPIC_API_KEY", "sk-ant-another");
    assertThat(json(reviewChange()).path("usage").path("asked").asInt()).isZero();
    assertThat(provider.heard()).isEmpty();
    for (var text : everything(folder.resolve("state")).values()) {
      assertThat(text).doesNotContain("sk-ant-another");
    }
  }

  @Test
  void a_file_of_the_same_size_and_time_with_other_content_is_asked_again() throws Exception {
    var written = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    desk.put("src/calc.py", "def add(a, b):\n    return a + b\n");
    Files.setLastModifiedTime(desk.file("src/calc.py"), written);
    review(".", "--plan");
    var before = json(review(".", "--plan")).path("units").findValuesAsText("key");

    desk.put("src/calc.py", "def add(a, b):\n    return a - b\n");
    Files.setLastModifiedTime(desk.file("src/calc.py"), written);
    review(".", "--yes");

    assertThat(json(review(".", "--plan")).path("units").findValuesAsText("key"))
        .isNotEmpty()
        .doesNotContainAnyElementsOf(before);
    assertThat(provider.wasShown("a - b")).isTrue();
    assertThat(provider.wasShown("a + b")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".flyball",
        ".flyball/runs",
        ".flyball/runs/39a1f226-2bcd/units.jsonl",
        ".flyball/history.db",
        ".flyball/history.db-wal"
      })
  void links_in_the_tree_are_never_written_through(String link) throws Exception {
    var outside = folder.resolve("outside");
    boolean file = link.contains("units.jsonl") || link.contains("history");
    if (file) {
      Files.writeString(outside, "line one\nssh-rsa AAAA-no-newline-at-end");
    } else {
      Files.createDirectories(outside);
    }
    Files.createDirectories(desk.file(link).getParent());
    Files.createSymbolicLink(desk.file(link), outside);
    var before = everything(folder.resolve("here"));
    var kept = everything(outside);

    assertThat(json(reviewChange()).path("verdict").asText()).isEqualTo("approved");
    assertThat(desk.flyball("usage").exit()).isZero();

    assertThat(everything(outside)).isEqualTo(kept);
    assertThat(everything(folder.resolve("here"))).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"reviews", "history.db", "history.db-wal", "REPOSITORY", "REVIEW", "units.jsonl"})
  void links_in_the_state_folder_are_refused(String link) throws Exception {
    reviewChange();
    var journal = only(folder.resolve("state"), "units.jsonl");
    var place =
        switch (link) {
          case "REPOSITORY" -> journal.resolve("../..").normalize();
          case "REVIEW" -> journal.resolve("..").normalize();
          case "units.jsonl" -> journal;
          default -> folder.resolve("state").resolve(link);
        };
    var outside = folder.resolve("outside");
    if (Files.exists(place)) {
      Files.move(place, outside);
    } else {
      Files.createFile(outside);
    }
    Files.createSymbolicLink(place, outside);
    var before = everything(outside);
    provider.begin(List.of());

    var screen = reviewChange();

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("Flyball keeps no state behind links", place.toString());
    assertThat(provider.heard()).isEmpty();
    assertThat(everything(outside)).isEqualTo(before);
  }

  @Test
  void a_learned_file_that_is_a_link_is_neither_read_nor_written() throws Exception {
    Files.createDirectories(folder.resolve("state"));
    var outside = Files.writeString(folder.resolve("outside"), "{\"version\":1}");
    Files.createSymbolicLink(folder.resolve("state/learned.json"), outside);
    var screen = reviewChange();
    assertThat(json(screen).path("verdict").asText()).isEqualTo("approved");
    assertThat(screen.err()).contains("Flyball keeps no state behind links");
    assertThat(outside).hasContent("{\"version\":1}");
    assertThat(folder.resolve("state/learned.json")).isSymbolicLink();
  }

  @Test
  void a_state_folder_may_be_reached_over_a_link_and_a_repository_too() throws Exception {
    Files.createDirectories(folder.resolve("disk"));
    Files.createSymbolicLink(folder.resolve("state"), folder.resolve("disk"));
    assertThat(json(reviewChange()).path("usage").path("asked").asInt()).isPositive();
    Files.createSymbolicLink(folder.resolve("same"), desk.folder);
    var same = review("--diff", "HEAD~1..HEAD", folder.resolve("same").toString());
    assertThat(json(same).path("usage").path("asked").asInt()).isZero();
  }

  @Test
  void a_history_in_the_tree_changes_nothing() throws Exception {
    desk.put(".flyball/history.db", "\u001b[2Jgarbage");
    var screen = reviewChange();
    assertThat(json(screen).path("verdict").asText()).isEqualTo("approved");
    assertThat(screen.err()).doesNotContain("\u001b", "garbage");
    assertThat(desk.flyball("usage").exit()).isZero();
    assertThat(desk.file(".flyball/history.db")).hasContent("\u001b[2Jgarbage");
  }

  @Test
  void all_that_is_kept_is_for_its_owner_alone() throws Exception {
    var state = folder.resolve("state");
    Files.createDirectory(
        state, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    Files.writeString(state.resolve("learned.json"), "{\"version\":1}");
    Files.setPosixFilePermissions(
        state.resolve("learned.json"), PosixFilePermissions.fromString("rw-rw-r--"));
    reviewChange();
    review(".", "--yes");
    desk.flyball("usage");
    try (var all = Files.walk(state)) {
      for (var each : all.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
            .as(each.toString())
            .isEqualTo(Files.isDirectory(each) ? "rwx------" : "rw-------");
      }
    }
    assertThat(everything(state).keySet())
        .contains("history.db", "learned.json", "reviews")
        .anyMatch(name -> name.endsWith("units.jsonl"))
        .anyMatch(name -> name.endsWith("progress.json"))
        .anyMatch(name -> name.endsWith("digests.bin"));
  }

  @Test
  void nothing_is_written_in_what_is_reviewed() throws Exception {
    desk.put(".flyball/lenses/money.md", "# Is money exact?\nLook for floats.\n");
    desk.put("flyball.yaml", "fail-on: major\n");
    var before = everything(desk.folder);
    reviewChange();
    review(".", "--yes");
    review(".", "--plan");
    desk.flyball("review", ".");
    desk.flyball("estimate", ".");
    desk.flyball("estimate", "--diff", "HEAD~1..HEAD");
    desk.flyball("usage");
    desk.flyball("lanes");
    assertThat(everything(desk.folder)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {".flyball", ".flyball/baseline.json"})
  void a_baseline_is_not_written_over_a_link(String link) throws Exception {
    var outside = folder.resolve("outside");
    if (link.endsWith("json")) {
      Files.writeString(outside, "precious");
    } else {
      Files.createDirectory(outside);
    }
    Files.createDirectories(desk.file(link).getParent());
    Files.createSymbolicLink(desk.file(link), outside);
    var before = everything(outside);

    var screen = desk.flyball("review", ".", "--write-baseline");

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err())
        .contains(desk.file(link).toRealPath(LinkOption.NOFOLLOW_LINKS) + "")
        .contains("it is a link");
    assertThat(everything(outside)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {".flyball", ".flyball/lenses", ".flyball/lenses/money.md"})
  void a_lens_behind_a_link_is_no_lens(String link) throws Exception {
    var outside = folder.resolve("outside");
    var lens = "# Is money exact?\nLook for floats.\n";
    switch (link) {
      case ".flyball" -> {
        Files.createDirectories(outside.resolve("lenses"));
        Files.writeString(outside.resolve("lenses/money.md"), lens);
      }
      case ".flyball/lenses" -> {
        Files.createDirectories(outside);
        Files.writeString(outside.resolve("money.md"), lens);
      }
      default -> Files.writeString(outside, lens);
    }
    Files.createDirectories(desk.file(link).getParent());
    Files.createSymbolicLink(desk.file(link), outside);
    review(".", "--yes");
    assertThat(provider.heard()).isNotEmpty();
    assertThat(provider.wasShown("Is money exact")).isFalse();
  }
}
