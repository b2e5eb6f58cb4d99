package dev.flyball.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code flyball batch} as a user meets it, with a provider on loopback. */
@Timeout(60)
class RunBatchTest {
  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() {
    desk = new CommandDesk(folder);
  }

  @AfterEach
  void leave() {
    desk.close();
  }

  @Test
  void every_line_gets_its_answer_in_the_format_of_its_question() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.write(
        "in.jsonl",
        CommandDesk.openAi("a", "m", "hello"),
        "",
        CommandDesk.anthropic("b", "claude-x", "good morning"),
        "{\"prompt\":\"good night\"}");

    var screen = desk.batch("--model", "m");

    assertThat(screen)
        .extracting(CommandDesk.Screen::exit, CommandDesk.Screen::err)
        .containsExactly(0, "");
    var answers = desk.lines("out.jsonl");
    assertThat(answers).hasSize(3);
    for (var answer : answers) {
      switch (answer.path("custom_id").asText()) {
        case "a" -> {
          assertThat(answer.at("/response/status_code").asInt()).isEqualTo(200);
          assertThat(answer.at("/response/body/choices/0/message/content").asText())
              .contains("hello");
          assertThat(answer.path("error").isNull()).isTrue();
        }
        case "b" -> {
          assertThat(answer.at("/result/type").asText()).isEqualTo("succeeded");
          assertThat(answer.at("/result/message/content/0/text").asText()).contains("good morning");
        }
        case "line-4" -> assertThat(answer.path("answer").asText()).contains("good night");
        default -> throw new AssertionError(answer.toString());
      }
      assertThat(answer.has("simulated")).isFalse();
    }
    assertThat(screen.out()).contains("3 answered", "out.jsonl");
    assertThat(Files.exists(desk.file("out.errors.jsonl"))).isFalse();
  }

  @Test
  void bodies_reach_the_provider_byte_for_byte() throws Exception {
    var odd =
        "{ \"model\" : \"m\",\"messages\":[{\"role\":\"user\",\"content\":\"\\u00e9 é\"}] ,"
            + " \"seed\":1.50}";
    desk.write(
        "in.jsonl", "{\"body\":" + odd + " ,\"url\":\"/v1/chat/completions\",\"custom_id\":\"a\"}");
    var came = new ArrayList<String>();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/chat/completions",
        exchange -> {
          came.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          var answer = "{\"choices\":[],\n \"usage\":{\"prompt_tokens\":1}}".getBytes(UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();

    var screen =
        desk.flyball(
            "batch",
            desk.file("in.jsonl").toString(),
            "-o",
            desk.file("out.jsonl").toString(),
            "--base-url",
            "http://127.0.0.1:" + server.getAddress().getPort());
    server.stop(0);

    assertThat(screen.exit()).isZero();
    assertThat(came).containsExactly(odd);
    // A line break between things becomes a space, so that an answer is one line.
    assertThat(Files.readString(desk.file("out.jsonl")))
        .contains("\"body\":{\"choices\":[],  \"usage\":{\"prompt_tokens\":1}}");
  }

  @Test
  void the_same_command_again_asks_nothing_that_is_answered() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(20);
    assertThat(desk.batch().exit()).isZero();

    var again = desk.batch();

    assertThat(again.exit()).isZero();
    assertThat(again.out()).contains("nothing to send");
    assertThat(desk.asked()).hasSize(20).doesNotHaveDuplicates();
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(20));
  }

  @Test
  void lines_that_are_new_are_asked_and_a_torn_answer_is_repaired() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(5);
    desk.batch();
    var whole = Files.readString(desk.file("out.jsonl"));
    Files.writeString(desk.file("out.jsonl"), whole.substring(0, whole.length() - 30));
    desk.questions(8);

    var screen = desk.batch();

    assertThat(screen.exit()).isZero();
    assertThat(screen.out()).contains("4 answered", "(and 4 before)");
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(8));
    assertThat(desk.asked()).hasSize(9);
  }

  @Test
  void a_line_that_changed_after_its_answer_is_refused_with_its_number() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(3);
    desk.batch();
    desk.write(
        "in.jsonl",
        CommandDesk.openAi("q0", "m", "say 0"),
        CommandDesk.openAi("new", "m", "say new"),
        CommandDesk.openAi("q1", "m", "something else"),
        CommandDesk.openAi("q2", "m", "say 2"));

    var screen = desk.batch();

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("1 line changed", "line 3", "custom_id", "Nothing was sent");
    assertThat(desk.asked()).hasSize(3);
  }

  @Test
  void what_is_wrong_with_lines_is_said_with_their_numbers_and_nothing_is_sent() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.write(
        "in.jsonl",
        CommandDesk.openAi("a", "m", "fine"),
        "{\"custom_id\":\"b\", nonsense}",
        CommandDesk.openAi("a", "m", "again"),
        "{\"custom_id\":\"c\"}",
        "{\"custom_id\":\"d\",\"params\":{\"model\":\"m\",\"stream\":true,\"messages\":[]}}",
        "{\"prompt\":\"which model?\"}",
        "[1]");

    var screen = desk.batch();

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err())
        .contains("line 2: not valid JSON (at column")
        .contains("line 3: custom_id 'a' is also that of line 1")
        .contains("line 4: expected custom_id and body")
        .contains("line 5: \"stream\": true")
        .contains("line 6: no model; add --model NAME")
        .contains("line 7: expected a JSON object")
        .contains("--skip-invalid", "Nothing was sent");
    assertThat(desk.asked()).isEmpty();

    assertThat(desk.batch("--skip-invalid").exit()).isZero();
    assertThat(desk.ids("out.jsonl")).containsExactly("a");
  }

  @ParameterizedTest
  @CsvSource({
    "'', the input has no lines to send",
    "'   ', the input has no lines to send",
  })
  void a_file_without_a_line_is_refused(String content, String message) throws Exception {
    desk.provider(CommandDesk.quick());
    desk.write("in.jsonl", content);

    var screen = desk.batch();

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--concurrency=0 | --concurrency: must be auto or at least 1, not 0",
        "--max-wait=soon | write a time as 500ms, 90s, 15m or 2h30m, not 'soon'",
        "--order=random | --order: must be one of fifo, longest-first, not random",
        "--priority=urgent | --priority: must be one of interactive, normal, bulk, not urgent",
        "--progress=loud | --progress: must be one of auto, bar, plain, json, none, not loud",
        "--provider=nobody | --provider: must be one of anthropic, openai,",
        "--profile=huge | --profile (or --limits): must be one of anthropic-start,",
        "--first=0 | --first: must be at least 1, not 0",
        "--max-retries=-1 | --max-retries: must be at least 0, not -1",
        "--retry-base=0s | --retry-base: must be above 0 and at most 1d",
        "--retry-base=2m | --retry-base: must be at most --retry-max",
        "--retry-jitter=2 | --retry-jitter: must be from 0 to 1, not 2.0",
        "--breaker-failures=0 | --breaker-failures: must be from 1 to 1,000, not 0",
        "--breaker-rest=0ms | --breaker-rest: must be above 0 and at most 1d",
        "--budget-usd=free | --budget-usd: write dollars as 12.50, not free",
        "--budget-usd=0 | --budget-usd: must be above 0",
        "--speed | unknown option --speed",
      })
  void a_wrong_flag_is_refused_with_the_rule_and_the_value(String flag, String message)
      throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(1);

    var screen = desk.batch(flag);

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains(message).contains("flyball batch --help");
  }

  @Test
  void a_missing_file_and_a_missing_key_are_said_plainly() throws IOException {
    var file = desk.flyball("batch", desk.file("nowhere.jsonl").toString(), "--provider=simulated");
    assertThat(file.exit()).isEqualTo(2);
    assertThat(file.err()).contains("there is no file", "nowhere.jsonl");

    desk.questions(1);
    var key = desk.flyball("batch", desk.file("in.jsonl").toString());
    assertThat(key.exit()).isEqualTo(2);
    assertThat(key.err()).contains("set OPENAI_API_KEY", "--provider simulated");
  }

  @Test
  void simulated_answers_are_marked_in_every_line_and_on_screen() throws Exception {
    desk.write(
        "in.jsonl",
        CommandDesk.anthropic("a", "claude-sonnet-5", "hello"),
        CommandDesk.openAi("b", "gpt-4o", "hello"));

    var screen =
        desk.flyball(
            "batch", desk.file("in.jsonl").toString(), "--provider=simulated", "--progress=json");

    assertThat(screen.exit()).isZero();
    assertThat(desk.lines("in.results.jsonl"))
        .hasSize(2)
        .allMatch(line -> line.path("simulated").asBoolean());
    assertThat(desk.state().resolve("learned.json")).doesNotExist();
    assertThat(screen.out().lines()).allMatch(line -> line.contains("\"simulated\":true"));

    var plain =
        desk.flyball(
            "batch", desk.file("in.jsonl").toString(), "--provider=simulated", "--progress=plain");
    assertThat(plain.out()).contains("simulated answers");
  }

  @Test
  void a_refused_key_ends_the_run_after_one_attempt_each() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(50);
    desk.environment.put("OPENAI_API_KEY", "invalid-key");

    var screen = desk.batch("--concurrency=4");

    assertThat(screen.exit()).isEqualTo(4);
    assertThat(screen.out()).contains("check the API key").doesNotContain("invalid-key");
    assertThat(desk.simulator().stats().requests()).isLessThanOrEqualTo(4);
  }

  @Test
  void a_spend_cap_ends_the_run_as_incomplete_with_advice() throws Exception {
    desk.provider(CommandDesk.quick().fault("spend-cap"));
    desk.questions(50);

    var screen = desk.batch("--concurrency=4");

    assertThat(screen.exit()).isEqualTo(3);
    assertThat(screen.out()).contains("incomplete");
    assertThat(desk.simulator().stats().requests()).isLessThanOrEqualTo(4);
    assertThat(desk.lines("out.errors.jsonl").getFirst().at("/error/advice").asText()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"too-large:id=q3, 429", "410:id=q3, 410", "413:id=q3, 413", "400:id=q3, 400"})
  void what_can_never_work_fails_alone_after_one_attempt(String fault, int status)
      throws Exception {
    desk.provider(CommandDesk.quick().fault(fault));
    desk.questions(6);

    var screen = desk.batch();

    assertThat(screen.exit()).isEqualTo(1);
    assertThat(screen.out()).contains("5 answered", "1 failed", "out.errors.jsonl");
    var error = desk.lines("out.errors.jsonl").getFirst();
    assertThat(error.path("custom_id").asText()).isEqualTo("q3");
    assertThat(error.path("line").asInt()).isEqualTo(4);
    assertThat(error.at("/error/status").asInt()).isEqualTo(status);
    assertThat(error.at("/error/attempts").asInt()).isEqualTo(1);
    assertThat(error.at("/error/advice").asText()).isNotEmpty();
    assertThat(desk.simulator().stats().requests()).isEqualTo(6);
  }

  @Test
  void what_failed_is_asked_again_by_the_next_run_unless_it_is_kept() throws Exception {
    desk.provider(CommandDesk.quick().fault("400:id=q1,attempts=1"));
    desk.questions(3);
    assertThat(desk.batch().exit()).isEqualTo(1);

    assertThat(desk.batch("--keep-errors").exit()).isEqualTo(1);
    assertThat(desk.simulator().stats().requests()).isEqualTo(3);
    assertThat(desk.ids("out.errors.jsonl")).containsExactly("q1");

    assertThat(desk.batch().exit()).isZero();
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(3));
    assertThat(Files.exists(desk.file("out.errors.jsonl"))).isFalse();
  }

  @Test
  void a_lane_that_must_wait_for_hours_is_parked_while_others_go_on() throws Exception {
    desk.provider(CommandDesk.quick().fault("429:model=claude-slow,retry-after=50400"));
    desk.write(
        "in.jsonl",
        CommandDesk.anthropic("a", "claude-slow", "1"),
        CommandDesk.anthropic("b", "claude-quick", "2"),
        CommandDesk.anthropic("c", "claude-slow", "3"),
        CommandDesk.anthropic("d", "claude-quick", "4"));

    var screen = desk.batch("--max-wait=1s");

    assertThat(screen.exit()).isEqualTo(3);
    assertThat(desk.ids("out.jsonl")).containsExactly("b", "d");
    assertThat(screen.out())
        .containsPattern("nothing can be sent for (14 h|13 h 59 min)")
        .contains("run the same command after", "incomplete: 2");
  }

  @Test
  void nobody_there_is_exit_four() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.simulator().close();
    desk.questions(3);

    var screen = desk.batch("--max-retries=1", "--max-wait=2s");

    assertThat(screen.exit()).isEqualTo(4);
    assertThat(screen.out()).contains("never reached", "check address and network");
  }

  @Test
  void a_budget_in_tokens_holds_and_the_rest_is_left_for_later() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(100);

    var screen = desk.batch("--budget-tokens=400");

    assertThat(screen.exit()).isEqualTo(3);
    assertThat(screen.out()).contains("raise --budget-tokens");
    var stats = desk.simulator().stats();
    assertThat(stats.inputTokens() + stats.outputTokens()).isBetween(100L, 420L);
  }

  @Test
  void after_the_deadline_nothing_starts() throws Exception {
    desk.provider(CommandDesk.quick().latency(Latency.parse("400ms")));
    desk.questions(40);

    var screen = desk.batch("--deadline=1s", "--concurrency=2");

    assertThat(screen.exit()).isEqualTo(3);
    assertThat(screen.out()).contains("the --deadline has passed");
    assertThat(desk.lines("out.jsonl")).isNotEmpty().hasSizeLessThan(12);
  }

  @Test
  void answers_can_be_put_into_the_order_of_the_questions() throws Exception {
    desk.provider(CommandDesk.quick().latency(Latency.parse("20ms~1")));
    desk.questions(30);

    assertThat(desk.batch("--ordered").exit()).isZero();

    assertThat(desk.lines("out.jsonl").stream().map(line -> line.path("custom_id").asText()))
        .containsExactlyElementsOf(
            java.util.stream.IntStream.range(0, 30).mapToObj(i -> "q" + i).toList());
  }

  @Test
  void a_dry_run_leaves_what_failed_before_alone() throws Exception {
    desk.provider(CommandDesk.quick().fault("400:id=q1"));
    desk.questions(3);
    desk.batch();
    var before = Files.readString(desk.file("out.errors.jsonl"));

    assertThat(desk.batch("--dry-run").out()).contains("1 call; nothing is sent");

    assertThat(Files.readString(desk.file("out.errors.jsonl"))).isEqualTo(before);
    assertThat(desk.ids("out.jsonl")).containsExactly("q0", "q2");
  }

  @Test
  void two_keys_of_one_organisation_are_one_lane() throws Exception {
    desk.provider(
        CommandDesk.quick()
            .keysShareOrganization(true)
            .latency(Latency.parse("30ms"))
            .limit("requests=1200/min")
            .burst("requests=5"));
    desk.questions(60);
    desk.environment.put("A", "key-a");
    desk.environment.put("B", "key-b");

    var report = "--report=" + desk.file("report.json");
    assertThat(desk.batch("--key-env=A,B", report).exit()).isZero();

    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(60));
    // One of them says whose it is when the other is known already; it had what a first reply
    // needs.
    var attempts = new ArrayList<Integer>();
    CommandDesk.JSON
        .readTree(desk.file("report.json").toFile())
        .path("lanes")
        .forEach(lane -> attempts.add(lane.path("attempts").asInt()));
    assertThat(attempts).hasSize(2).anyMatch(count -> count <= 8);
    assertThat(attempts.stream().mapToInt(count -> count).sum()).isLessThanOrEqualTo(70);
  }

  @Test
  void a_dry_run_says_what_is_ahead_and_leaves_nothing_behind() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(30);

    var screen = desk.batch("--dry-run");

    assertThat(screen.exit()).isZero();
    assertThat(screen.out()).contains("30 calls; nothing is sent", "unknown price for m");
    assertThat(desk.simulator().stats().requests()).isZero();
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString())).containsExactly("in.jsonl");
    }
  }

  @Test
  void only_the_first_lines_are_asked_when_that_is_said() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(30);

    assertThat(desk.batch("--first=7").exit()).isZero();

    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(7));
  }

  @Test
  void the_longest_are_asked_first_when_that_is_said() throws Exception {
    desk.provider(CommandDesk.quick().latency(Latency.parse("50ms")));
    desk.write(
        "in.jsonl",
        CommandDesk.openAi("short", "m", "x"),
        CommandDesk.openAi("middle", "m", "x".repeat(100)),
        CommandDesk.openAi("long", "m", "x".repeat(1_000)));

    desk.batch("--order=longest-first", "--concurrency=1");

    assertThat(desk.asked()).containsExactly("long", "middle", "short");
  }

  @Test
  void concurrency_is_of_the_whole_run_however_many_models_and_keys_it_asks() throws Exception {
    desk.provider(CommandDesk.quick().latency(Latency.parse("30ms")));
    var lines = new java.util.ArrayList<String>();
    for (int i = 0; i < 24; i++) {
      lines.add(CommandDesk.openAi("q" + i, "model-" + i % 3, "x"));
    }
    desk.write("in.jsonl", lines.toArray(String[]::new));
    desk.environment.put("A", "key-a");
    desk.environment.put("B", "key-b");

    var screen = desk.batch("--key-env=A,B", "--concurrency=2");

    assertThat(screen.exit()).isZero();
    assertThat(desk.simulator().stats().mostInFlight()).isEqualTo(2);
  }

  @Test
  void two_keys_are_two_lanes_that_share_the_work() throws Exception {
    desk.provider(
        Settings.of("unlimited")
            .latency(Latency.parse("30ms"))
            .limit("requests=600/min")
            .burst("requests=5"));
    desk.questions(40);
    desk.environment.put("A", "key-a");
    desk.environment.put("B", "key-b");

    var screen = desk.batch("--key-env=A,B", "--report=" + desk.file("report.json"));

    assertThat(screen.exit()).isZero();
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(40));
    var report = CommandDesk.JSON.readTree(desk.file("report.json").toFile());
    assertThat(report.path("lanes")).hasSize(2).allMatch(lane -> lane.path("attempts").asInt() > 5);
  }

  @Test
  void the_report_and_the_progress_file_say_what_happened() throws Exception {
    desk.provider(CommandDesk.quick().fault("529:id=q2,attempts=1"));
    desk.questions(10);

    desk.batch("--report=" + desk.file("report.json"));

    var report = CommandDesk.JSON.readTree(desk.file("report.json").toFile());
    assertThat(report.path("total").asInt()).isEqualTo(10);
    assertThat(report.path("completed").asInt()).isEqualTo(10);
    assertThat(report.path("errored").asInt()).isZero();
    assertThat(report.path("skipped").asInt()).isZero();
    assertThat(report.path("attempts").asInt()).isEqualTo(11);
    assertThat(report.path("retried").asInt()).isEqualTo(1);
    // Told "too busy" at once, before anything was answered, it may be a limiter that said so.
    assertThat(report.path("throttled").asInt()).isLessThanOrEqualTo(1);
    assertThat(report.at("/tokens/input").asLong())
        .isEqualTo(desk.simulator().stats().inputTokens());
    assertThat(report.at("/tokens/output").asLong())
        .isEqualTo(desk.simulator().stats().outputTokens());
    assertThat(report.path("costUsd").isNull()).isTrue();
    assertThat(report.path("exit").asInt()).isZero();
    assertThat(report.path("wallSeconds").asDouble()).isPositive();
    var progress = CommandDesk.JSON.readTree(desk.file("out.progress.json").toFile());
    assertThat(progress.path("version").asInt()).isEqualTo(2);
    assertThat(progress.path("completed").asInt()).isEqualTo(10);
  }

  @Test
  void what_was_learned_is_kept_shown_and_forgotten() throws Exception {
    desk.provider(CommandDesk.quick().limit("requests=6000/min").headers(Headers.parse("full")));
    desk.questions(10);
    desk.environment.put("OPENAI_API_KEY", "sk-very-secret");
    desk.batch();

    var lanes = desk.flyball("lanes");
    assertThat(lanes.exit()).isZero();
    assertThat(lanes.out()).contains("requests: 6,000 per minute", "token estimates", "off by");
    var file = desk.state().resolve("learned.json");
    assertThat(Files.readString(file)).doesNotContain("sk-very-secret");

    Files.writeString(file, "{ not json");
    var warned = desk.batch();
    assertThat(warned.exit()).isZero();
    assertThat(warned.err()).contains("learned.json was not changed");

    assertThat(desk.flyball("lanes", "--forget", "--yes").out()).contains("forgot 1 lane");
    assertThat(desk.flyball("lanes").out()).contains("no limits learned yet");
  }

  @Test
  void what_comes_through_a_pipe_needs_a_place_for_its_answers() {
    var screen = desk.flyball("batch", "-", "--provider=simulated");

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("-o: name a file for the answers");
  }

  @Test
  void two_runs_never_write_one_file() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(2);
    try (var other =
            java.nio.channels.FileChannel.open(
                desk.file("out.jsonl"),
                java.nio.file.StandardOpenOption.CREATE,
                java.nio.file.StandardOpenOption.WRITE);
        var lock = other.lock()) {
      assertThat(lock.isValid()).isTrue();
      var screen = desk.batch();
      assertThat(screen.exit()).isEqualTo(2);
      assertThat(screen.err()).contains("is being written by another run");
    }
  }

  @Test
  void a_file_that_holds_something_else_is_never_written_over() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(2);
    for (var other :
        new String[] {"my thesis\n", "my thesis", CommandDesk.openAi("q0", "m", "x") + "\n"}) {
      Files.writeString(desk.file("out.jsonl"), other);

      var screen = desk.batch();

      assertThat(screen.exit()).isEqualTo(2);
      assertThat(screen.err()).contains("line 1 of", "is not an answer");
      assertThat(Files.readString(desk.file("out.jsonl"))).isEqualTo(other);
    }
  }

  @Test
  void answers_never_go_into_the_file_of_prompts() throws Exception {
    desk.provider(CommandDesk.quick());
    var text = Files.readString(desk.questions(2));
    var file = desk.file("in.jsonl").toString();

    var screen = desk.flyball("batch", file, "-o", file, "--provider=simulated");

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("the answers cannot go into the file of prompts");
    assertThat(Files.readString(desk.file("in.jsonl"))).isEqualTo(text);
  }

  @Test
  void a_place_that_cannot_be_written_is_said_in_a_line() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(2);
    Files.createDirectories(desk.file("out.progress.json").resolve("in the way"));

    var screen = desk.batch();

    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err().lines()).hasSize(1);
    assertThat(screen.err()).startsWith("flyball batch: ").contains("out.progress.json");
  }

  @Test
  void followers_of_a_cached_prefix_wait_for_their_leader() throws Exception {
    desk.provider(Settings.of("unlimited").latency(Latency.parse("200ms")));
    var system = "x ".repeat(4_000);
    var lines = new java.util.ArrayList<String>();
    for (int i = 0; i < 6; i++) {
      lines.add(
          """
          {"custom_id":"q%d","params":{"model":"claude-x","max_tokens":9,"system":[{"type":"text","text":"%s","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"%d"}]}}\
          """
              .formatted(i, system, i));
    }
    desk.write("in.jsonl", lines.toArray(String[]::new));

    assertThat(desk.batch().exit()).isZero();

    var stats = desk.simulator().stats();
    assertThat(stats.cacheWrittenTokens()).isPositive();
    assertThat(stats.cacheReadTokens()).isEqualTo(5 * stats.cacheWrittenTokens());
  }

  @Test
  void configuration_comes_from_the_environment_then_from_the_file() throws Exception {
    desk.write(
        "flyball.yaml", "max-wait: 1h", "batch:", "  order: longest-first", "  max-retries: 3");
    desk.environment.put("FLYBALL_MAX_RETRIES", "7");

    var shown = desk.flyball("config", "--all");

    assertThat(shown.exit()).isZero();
    assertThat(shown.out().lines().map(line -> line.replaceAll(" +", " ")))
        .contains(
            "batch.max-retries 7 FLYBALL_MAX_RETRIES",
            "batch.max-wait 1h flyball.yaml line 1: max-wait",
            "batch.order longest-first flyball.yaml line 3: batch.order",
            "batch.concurrency auto default");
  }

  @Test
  void an_unknown_or_impossible_setting_is_refused_with_its_place() throws Exception {
    desk.write("flyball.yaml", "batch:", "  concurency: 4");
    assertThat(desk.flyball("config"))
        .extracting(CommandDesk.Screen::exit, CommandDesk.Screen::err)
        .containsExactly(
            2,
            "flyball: flyball.yaml line 2: there is no key batch.concurency; did you mean"
                + " concurrency?"
                + System.lineSeparator());

    desk.write("flyball.yaml", "batch:", "  max-retries: many");
    desk.questions(1);
    var screen = desk.flyball("batch", desk.file("in.jsonl").toString(), "--provider=simulated");
    assertThat(screen.exit()).isEqualTo(2);
    assertThat(screen.err()).contains("many", "flyball.yaml line 2: batch.max-retries");

    Files.delete(desk.file("flyball.yaml"));
    desk.user("providers:", "  mine:", "    dialect: french");
    assertThat(desk.flyball("config").err())
        .contains("config.yaml line 1: a dialect is one of", "french");
  }

  @Test
  void a_provider_of_ones_own_is_used_by_its_name() throws Exception {
    desk.provider(CommandDesk.quick());
    desk.questions(2);
    desk.user("providers:", "  mine:", "    url: " + desk.simulator().uri(), "    key: MY_KEY");
    desk.environment.put("MY_KEY", "k");

    var screen =
        desk.flyball(
            "batch", desk.file("in.jsonl").toString(), "--provider=mine", "--progress=none");

    assertThat(screen.err()).isEmpty();
    assertThat(screen.exit()).isZero();
    assertThat(List.of(desk.flyball("lanes").out().split("\n", -1)).getFirst())
        .startsWith("mine@127.0.0.1:");
  }
}
