package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile repositories against the real command: whichever way a change takes, it is not approved
 * without a real answer about all of its source; no secret leaves its place; nothing is written but
 * the state; and no program runs but Git.
 */
@Timeout(300)
class RepositoryAttackTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The user's secrets, each of which has one place where it belongs, or none. */
  private static final String KEY = "sk-ant-canary-of-a-key-zq7";

  private static final String OTHER_KEY = "canary-of-another-key-zq7";

  /** What a model under the attacker's influence asks to be shown. */
  private static final List<String> WANTED =
      List.of(
          ".env",
          ".npmrc",
          ".git/config",
          ".git/HEAD",
          "src/../.env",
          "./.env",
          "linkdir/victim.txt",
          "src/link.py",
          "../outside/victim.txt",
          "/etc/hostname",
          ".ENV",
          ".git//config");

  private static final int PAIRS = 30;

  @TempDir private static Path folder;
  private static RecordingProvider honest;
  private static RecordingProvider evil;
  private static Recording recording;
  private static int repositories;

  /** How the change is handed to the review. */
  enum Door {
    RANGE("--diff main...change"),
    RANGE_IN_ONE_WORD("--diff=main..change"),
    RANGE_BY_VARIABLE(""),
    RANGE_BY_FILE(""),
    STAGED("--staged"),
    STAGED_BY_VARIABLE(""),
    WORKTREE("--worktree"),
    PATCH("--patch ../change.patch"),
    FOLDER(". --yes");

    private final String words;

    Door(String words) {
      this.words = words;
    }

    List<String> words(HostileRepository it) {
      return this == RANGE_BY_FILE
          ? List.of("@" + it.around.resolve("arguments"))
          : words.isEmpty() ? List.of() : List.of(words.split(" ", -1));
    }

    /** Gives the change the shape that this door needs. */
    void prepare(HostileRepository it, Map<String, String> environment)
        throws IOException, InterruptedException {
      it.git("add", "-A", "-f");
      switch (this) {
        case STAGED, WORKTREE -> {}
        case STAGED_BY_VARIABLE -> environment.put("FLYBALL_STAGED", "true");
        case PATCH -> {
          it.commit("change");
          Files.writeString(
              it.around.resolve("change.patch"),
              it.git("diff", "--no-textconv", "--no-ext-diff", "main...change") + "\n");
          it.git("checkout", "-q", "-f", "main");
        }
        case RANGE, RANGE_IN_ONE_WORD, FOLDER -> it.commit("change");
        case RANGE_BY_VARIABLE -> {
          it.commit("change");
          environment.put("FLYBALL_DIFF", "main...change");
        }
        case RANGE_BY_FILE -> {
          it.commit("change");
          Files.writeString(it.around.resolve("arguments"), "--diff main...change");
        }
      }
    }
  }

  /** What came of a review, and what was there before it. */
  private record Outcome(int exit, String out, String err, Map<String, String> before) {
    JsonNode review() throws IOException {
      return out.isBlank() ? JSON.createObjectNode() : JSON.readTree(out);
    }

    String verdict() throws IOException {
      return review().path("verdict").asText();
    }

    String all() {
      return "exit " + exit + "\n" + out + "\n" + err;
    }
  }

  @BeforeAll
  static void listen() throws IOException {
    honest = RecordingProvider.start();
    evil = RecordingProvider.start();
    recording = new Recording();
    recording.enable("jdk.ProcessStart").withoutStackTrace();
    recording.start();
  }

  @AfterAll
  static void nothing_was_started_but_git() throws IOException {
    try {
      recording.stop();
      var file = folder.resolve("processes.jfr");
      recording.dump(file);
      var started =
          RecordingFile.readAllEvents(file).stream()
              .filter(event -> event.getEventType().getName().equals("jdk.ProcessStart"))
              .toList();
      assertThat(started).isNotEmpty();
      assertThat(started)
          .allSatisfy(
              event ->
                  assertThat(event.getString("command").split(" ", 2)[0])
                      .matches("(.*/)?git(.exe)?"));
    } finally {
      recording.close();
      honest.close();
      evil.close();
    }
  }

  private static Outcome attack(List<HostileWay> ways, Door door) throws Exception {
    var it = HostileRepository.in(folder.resolve("r" + repositories++));
    Files.writeString(it.around.resolve("evil.url"), evil.address().toString());
    HostileWay.build(it, ways);
    Map<String, String> environment = new HashMap<>();
    door.prepare(it, environment);
    for (var way : ways) {
      way.after(it);
    }
    var wanted = new ArrayList<>(WANTED);
    Collections.rotate(wanted, repositories);
    honest.begin(wanted);
    evil.begin(List.of());
    var outcome = review(it, environment, door.words(it));
    judge(it, outcome, door);
    return outcome;
  }

  private static Outcome review(
      HostileRepository it, Map<String, String> environment, List<String> words)
      throws IOException {
    environment.put("HOME", it.around.resolve("home").toString());
    environment.put("FLYBALL_STATE", it.around.resolve("state").toString());
    environment.put("ANTHROPIC_API_KEY", KEY);
    environment.put("ANTHROPIC_BASE_URL", honest.address().toString());
    environment.put("AWS_SECRET_ACCESS_KEY", OTHER_KEY);
    var args = new ArrayList<>(List.of("review"));
    args.addAll(words);
    args.addAll(List.of("--format", "json", "--progress", "none", "--mode", "sequential"));
    var before = it.picture();
    var out = new StringWriter();
    var err = new StringWriter();
    int exit =
        Main.run(
            environment,
            it.folder,
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            args.toArray(String[]::new));
    return new Outcome(exit, out.toString(), err.toString(), before);
  }

  private static void judge(HostileRepository it, Outcome outcome, Door door) throws Exception {
    assertThat(outcome.exit).as(outcome.all()).isBetween(0, 3);
    if (door != Door.FOLDER && outcome.verdict().startsWith("approved")) {
      assertThat(it.marks()).as(outcome.all()).allMatch(honest::wasShown, "was shown to the model");
      assertThat(it.findings())
          .as(outcome.all())
          .allSatisfy(
              rule ->
                  assertThat(outcome.review().path("findings").findValuesAsText("rule"))
                      .anyMatch(found -> found.contains(rule)));
    }
    if (!it.marks().isEmpty() && door != Door.FOLDER) {
      assertThat(outcome.verdict()).as(outcome.all()).isNotEqualTo("nothing_to_review");
    }
    assertThat(evil.heard()).as(outcome.all()).isEmpty();
    assertSecret(it, outcome);
    assertThat(it.picture()).as(outcome.all()).isEqualTo(outcome.before);
  }

  private static void assertSecret(HostileRepository it, Outcome outcome) throws IOException {
    var canaries = List.of(KEY, OTHER_KEY, HostileRepository.FILE_CANARY);
    for (var request : honest.heard()) {
      assertThat(request.key()).isEqualTo(KEY);
      var headers = new HashMap<>(request.headers());
      headers.remove("X-api-key");
      assertThat(headers + request.body()).doesNotContain(canaries);
    }
    assertThat(outcome.out + outcome.err).doesNotContain(canaries);
    var state = it.around.resolve("state");
    if (Files.exists(state)) {
      try (var files = Files.walk(state)) {
        for (var file : files.filter(Files::isRegularFile).toList()) {
          assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
              .as(file.toString())
              .doesNotContain(canaries);
        }
      }
    }
  }

  /** Without this, all that follows could hold because nothing is ever approved. */
  @ParameterizedTest
  @EnumSource
  void an_honest_change_is_approved_through_every_door(Door door) throws Exception {
    var outcome = attack(List.of(HostileWay.NOTHING_SPECIAL), door);
    assertThat(outcome.verdict()).as(outcome.all()).startsWith("approved");
    assertThat(honest.heard()).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void one_way(HostileWay way) throws Exception {
    attack(List.of(way), Door.RANGE);
    attack(List.of(way), another(way));
  }

  /** Git looks at the files on disk only for this door, and might run a filter on them. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "GIT_.*|ATTRIBUTES_.*|AN_EMBEDDED_.*")
  void what_git_was_told_does_not_count_for_files_on_disk(HostileWay way) throws Exception {
    attack(List.of(way), Door.WORKTREE);
  }

  @Test
  void a_folder_that_only_looks_like_a_repository_is_not_entered() throws Exception {
    var it = HostileRepository.in(folder.resolve("r" + repositories++));
    Files.writeString(it.around.resolve("evil.url"), evil.address().toString());
    HostileWay.build(it, List.of(HostileWay.AN_EMBEDDED_REPOSITORY));
    it.commit("change");
    for (var words : List.of(List.of("--worktree", "docs/b"), List.of("--staged", "docs/b"))) {
      var outcome = review(it, new HashMap<>(), words);
      assertThat(outcome.exit).as(outcome.all()).isEqualTo(2);
      assertThat(it.around.resolve("sprung")).doesNotExist();
    }
  }

  /** What takes a review away from all of a change leaves something that approves nothing. */
  @Test
  void without_source_there_is_nothing_to_review_and_without_an_answer_nothing_is_approved()
      throws Exception {
    for (var file : List.of("poetry.lock", "logo.png", "sub/yarn.lock")) {
      var it = changed(file, "x\0y\n");
      var outcome = review(it, new HashMap<>(), List.of("--diff", "main...change"));
      assertThat(outcome.verdict()).as(outcome.all()).isEqualTo("nothing_to_review");
      assertThat(outcome.exit).isZero();
    }
    for (var file : List.of("src/evil.py", "evil.js", "Dockerfile", "x.sh")) {
      var it = changed(file, "\1\2\3\4\5\0\0\0\0");
      var outcome = review(it, new HashMap<>(), List.of("--diff", "main...change"));
      assertThat(outcome.verdict()).as(outcome.all()).isEqualTo("incomplete");
      assertThat(outcome.exit).isEqualTo(3);
      assertThat(outcome.out).contains(file);
    }
    assertThat(honest.heard()).isEmpty();
  }

  /** Nobody is shown it, and it is looked at all the same. */
  @Test
  void a_file_of_secrets_is_looked_at_here_and_shown_to_nobody() throws Exception {
    var secret = "Zx9" + "qLm4Wv7Tk2".repeat(3);
    var it = changed("deploy/.env", "DB_PASSWORD=" + secret + "\n");
    var outcome = review(it, new HashMap<>(), List.of("--diff", "main...change"));
    assertThat(outcome.review().path("findings").findValuesAsText("rule")).contains("secret");
    assertThat(outcome.exit).isEqualTo(1);
    assertThat(outcome.all()).doesNotContain(secret);
    assertThat(honest.heard()).isEmpty();
  }

  private static HostileRepository changed(String file, String content) throws Exception {
    var it = HostileRepository.in(folder.resolve("r" + repositories++));
    Files.writeString(it.around.resolve("evil.url"), evil.address().toString());
    it.branch();
    it.put(file, content);
    it.commit("change");
    honest.begin(List.of());
    return it;
  }

  private static Door another(HostileWay way) {
    var doors = new ArrayList<>(List.of(Door.values()));
    if (!way.fitsAPatch()) {
      doors.remove(Door.PATCH);
    }
    return doors.get(1 + List.of(HostileWay.values()).indexOf(way) % (doors.size() - 1));
  }

  static Stream<List<HostileWay>> pairs() {
    var random = new Random(20261116);
    return IntStream.range(0, PAIRS)
        .mapToObj(
            i -> {
              var ways = new ArrayList<>(List.of(HostileWay.values()));
              Collections.shuffle(ways, random);
              return ways.subList(0, 2);
            })
        .filter(pair -> pair.stream().noneMatch(way -> way == HostileWay.LINKED_FLYBALL_FOLDER));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void two_ways_at_once(List<HostileWay> pair) throws Exception {
    attack(pair, Door.RANGE);
  }
}
