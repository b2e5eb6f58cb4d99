package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.run.config.ConfigFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A {@code flyball.yaml} that a stranger wrote, in a folder that somebody runs Flyball in. */
final class ConfigAttackTest {
  private static final String KEY = "sk-ant-canary-0123456789";
  private static final String OTHER = "canary/AWS/secret/0123456789";
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path home;
  private CommandDesk desk;
  private RecordingProvider honest;
  private RecordingProvider evil;

  @BeforeEach
  void open() throws IOException {
    desk = new CommandDesk(Files.createDirectory(home.resolve("clone")));
    honest = RecordingProvider.start();
    evil = RecordingProvider.start();
    desk.environment.clear();
    desk.environment.put("HOME", home.toString());
    desk.environment.put("ANTHROPIC_API_KEY", KEY);
    desk.environment.put("ANTHROPIC_BASE_URL", honest.address().toString());
    desk.environment.put("AWS_SECRET_ACCESS_KEY", OTHER);
    desk.put("src/calc.py", "def add(a, b):\n    return a + b\n");
    desk.write("in.jsonl", CommandDesk.anthropic("a", "m", "hello"));
  }

  @AfterEach
  void close() {
    honest.close();
    evil.close();
    desk.close();
  }

  private CommandDesk.Screen review(String... more) {
    var args = new ArrayList<>(List.of("review", ".", "--model", "claude-sonnet-5"));
    args.addAll(List.of(more));
    return desk.flyball(args.toArray(String[]::new));
  }

  private CommandDesk.Screen batch(String... more) {
    var args = new ArrayList<>(List.of("batch", desk.file("in.jsonl").toString()));
    args.add("--progress=none");
    args.addAll(List.of(more));
    return desk.flyball(args.toArray(String[]::new));
  }

  private void refusedEverywhere() {
    for (var screen : List.of(review("--yes"), batch())) {
      assertThat(screen.exit()).as(screen.out() + screen.err()).isEqualTo(2);
      assertThat(screen.err()).doesNotContain(KEY, OTHER, "hunter2", "\u001b").contains("flyball");
      assertThat(screen.err().lines()).hasSize(1);
    }
    assertThat(evil.heard()).isEmpty();
    assertThat(honest.heard()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "base-url: EVIL",
        "'base-url': EVIL",
        "\"base\\u002durl\": EVIL",
        "? base-url\n: EVIL",
        "{base-url: EVIL}",
        "review:\n  base-url: EVIL\nbatch:\n  base-url: EVIL",
        "review: {base-url: EVIL, yes: true}",
        "max-wait: 1h\nbatch:\n  order: fifo\n  base-url: EVIL?key=hunter2",
        "provider: openai",
        "provider: simulated",
        "key-env: AWS_SECRET_ACCESS_KEY",
        "key-env: [AWS_SECRET_ACCESS_KEY]",
        "header: X-Team=hunter2",
        "allow-http: true",
        "history: postgresql://me:hunter2@127.0.0.1/db",
        "history: ../elsewhere.db",
        "no-history: true",
        "review:\n  yes: true",
        "yes: true",
        "output: ../elsewhere.json",
        "batch:\n  output: ../elsewhere.jsonl",
        "batch:\n  report: ../elsewhere.json",
        "review:\n  format: json=../elsewhere.json",
        "review:\n  format: [json=../elsewhere.json]",
        "format: sarif=x",
        "review:\n  diff: HEAD~1..HEAD",
        "diff: HEAD",
        "staged: true",
        "worktree: true",
        "patch: x.diff",
        "first: 1",
        "dry-run: true",
        "plan: true",
        "show-prompts: true",
        "write-baseline: true",
        "allow-incomplete: true",
        "skip-invalid: true",
        "keep-errors: true",
        "providers:\n  evil: {url: EVIL, dialect: anthropic, key: AWS_SECRET_ACCESS_KEY}",
        "providers:\n  anthropic: {url: EVIL}",
        "providers:\n  anthropic: {key: AWS_SECRET_ACCESS_KEY}",
        "providers:\n  anthropic: {mode: local}",
        "providers: {}",
        "prices:\n  - {provider: anthropic, model: claude-sonnet-5, input: 0, output: 0}",
        "simulate:\n  answers: /etc/passwd"
      })
  void what_is_the_users_is_refused_with_its_line_and_where_to_put_it(String text)
      throws IOException {
    desk.put("flyball.yaml", text.replace("EVIL", evil.address().toString()) + "\n");
    refusedEverywhere();
    assertThat(desk.flyball("config").err())
        .matches(
            "flyball: flyball\\.yaml line \\d+: .*put (it|them) into"
                + " ~/\\.config/flyball/config\\.yaml(?s).*");
    assertThat(home.resolve("elsewhere.json")).doesNotExist();
    assertThat(home.resolve("elsewhere.db")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Base-Url: EVIL",
        "base_url: EVIL",
        "baseUrl: EVIL",
        "BASE-URL: EVIL",
        "base-url : EVIL\nbase-url: EVIL",
        "max-wait: 1h\nmax-wait: 2h",
        "review:\n  fail-on: major\nreview:\n  base-url: EVIL",
        "x: &a {base-url: EVIL}\nreview:\n  <<: *a",
        "review: &a\n  model: m\nbatch: *a",
        "model: &m EVIL\nbatch:\n  model: *m",
        "max-wait: !!str 1h",
        "review: !!java.net.URL [EVIL]",
        "--- \nmax-wait: 1h\n---\nbase-url: EVIL",
        "b\u0430se-url: EVIL",
        "base\u2011url: EVIL",
        "base-url\u200b: EVIL",
        "review.base-url: EVIL",
        "review:\n\tbase-url: EVIL",
        "review:\n  review:\n    base-url: EVIL",
        "review:\n  providers: {a: {url: EVIL}}",
        "\"\\e[2J::error::x\": 1",
        "max-wait: ${env:AWS_SECRET_ACCESS_KEY}\nbase-url: EVIL",
        "- base-url: EVIL",
        "base-url",
        "review: base-url",
        "model:",
        "model: {a: b}",
        "model: [[a]]",
        "timeout: [1s, 2s]",
        "{",
        "a: b: c: [",
        "? {a: b}\n: c",
        "x: [EVIL"
      })
  void what_says_one_thing_and_may_mean_another_is_refused(String text) throws IOException {
    desk.put("flyball.yaml", text.replace("EVIL", evil.address().toString()) + "\n");
    refusedEverywhere();
  }

  @Test
  void a_mark_at_the_beginning_hides_no_key() throws IOException {
    desk.put("flyball.yaml", "\uFEFFbase-url: " + evil.address() + "\n");
    refusedEverywhere();
    Files.write(
        desk.file("flyball.yaml"),
        ("base-url: " + evil.address() + "\n").getBytes(StandardCharsets.UTF_16));
    refusedEverywhere();
  }

  @Test
  void a_value_brings_no_variable_of_the_environment_along() throws Exception {
    desk.put("flyball.yaml", "batch:\n  model: '${env:PATH}-${sys:user.name}-@in.jsonl'\n");
    desk.write("in.jsonl", "{\"prompt\":\"hello\"}");
    desk.flyball(
        "batch", desk.file("in.jsonl").toString(), "--progress=none", "--provider=anthropic");
    assertThat(honest.heard()).hasSize(1);
    assertThat(honest.heard().getFirst().body())
        .contains("${env:PATH}-${sys:user.name}-@in.jsonl")
        .doesNotContain(System.getenv("PATH"));
  }

  @Test
  void the_same_keys_count_in_the_users_own_file() throws IOException {
    Files.createDirectories(home.resolve(".config/flyball"));
    Files.writeString(
        home.resolve("dotfile"), "base-url: " + evil.address() + "\nreview:\n  yes: true\n");
    Files.createSymbolicLink(home.resolve(".config/flyball/config.yaml"), home.resolve("dotfile"));
    desk.put("flyball.yaml", "review:\n  fail-on: major\nmax-wait: 1h\n");
    assertThat(review().exit()).isNotEqualTo(2);
    assertThat(evil.heard()).isNotEmpty();
    assertThat(honest.heard()).isEmpty();
    assertThat(desk.flyball("config").out())
        .contains(
            "~/.config/flyball/config.yaml line 1: base-url",
            "flyball.yaml line 2: review.fail-on");
  }

  @Test
  void a_budget_that_a_project_names_is_no_consent() throws IOException {
    desk.put("flyball.yaml", "budget-usd: 900\nbudget-tokens: 90000000\n");
    var screen = review();
    assertThat(screen.exit()).as(screen.err()).isEqualTo(2);
    assertThat(honest.heard()).isEmpty();
    assertThat(review("--budget-tokens", "1000000").exit()).isNotEqualTo(2);
    assertThat(honest.heard()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dev/zero", "/etc/hostname", "nowhere", "src/calc.py", "."})
  void a_link_is_no_file_of_settings(String target) throws IOException {
    Files.createSymbolicLink(desk.file("flyball.yaml"), Path.of(target));
    Assertions.assertTimeoutPreemptively(SOON, this::refusedEverywhere);
    assertThat(desk.flyball("config").err()).contains("this is a link");
  }

  @Test
  void what_is_no_regular_file_or_too_large_is_refused_at_once() throws Exception {
    var file = desk.file("flyball.yaml");
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    Assertions.assertTimeoutPreemptively(SOON, this::refusedEverywhere);
    Files.delete(file);
    Files.createDirectory(file);
    refusedEverywhere();
    Files.delete(file);
    try (var large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength(2L << 30);
    }
    Assertions.assertTimeoutPreemptively(SOON, this::refusedEverywhere);
    assertThat(desk.flyball("config").err()).contains("256 KiB");
    Files.writeString(file, "model: " + "[".repeat(100_000) + "\n");
    Assertions.assertTimeoutPreemptively(SOON, this::refusedEverywhere);
    Files.writeString(file, "a: ".repeat(1) + "{a: ".repeat(30_000) + "\n");
    Assertions.assertTimeoutPreemptively(SOON, this::refusedEverywhere);
    Files.writeString(file, "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nmodel: [*c,*c]\n");
    refusedEverywhere();
    Files.writeString(file, "model: " + "x".repeat(ConfigFile.LARGEST));
    refusedEverywhere();
  }

  @Test
  void a_key_in_clear_is_refused_in_every_command_that_sends() throws IOException {
    desk.environment.put("HTTP_PROXY", evil.address().toString());
    desk.environment.put("ANTHROPIC_BASE_URL", "http://api.example.test");
    refusedInClear(review("--yes"));
    refusedInClear(batch());
    desk.environment.remove("ANTHROPIC_API_KEY");
    desk.environment.put("MY", "Bearer " + OTHER);
    refusedInClear(batch("--header", "Authorization=env:MY"));
    assertThat(evil.heard()).isEmpty();

    desk.environment.put("ANTHROPIC_API_KEY", KEY);
    assertThat(review("--yes", "--allow-http").exit()).isNotEqualTo(2);
    assertThat(evil.heard()).isNotEmpty();
  }

  private static void refusedInClear(CommandDesk.Screen screen) {
    assertThat(screen.exit()).as(screen.err()).isEqualTo(2);
    assertThat(screen.err()).contains("https://", "--allow-http").doesNotContain(KEY, OTHER);
  }
}
