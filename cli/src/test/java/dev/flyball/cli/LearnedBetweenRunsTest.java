package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.setting.Headers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one run learned, and whom a next one takes it for. */
class LearnedBetweenRunsTest {
  @TempDir private Path folder;
  private CommandDesk desk;

  @BeforeEach
  void sit() throws IOException {
    desk = new CommandDesk(folder);
    desk.environment.put("OPENAI_API_KEY", "sk-very-secret");
    desk.provider(CommandDesk.quick().limit("requests=6000/min").headers(Headers.parse("full")));
    desk.questions(5);
  }

  @AfterEach
  void leave() {
    desk.close();
  }

  private Set<String> lanes() throws IOException {
    var all = new HashSet<String>();
    var learned = CommandDesk.JSON.readTree(desk.state().resolve("learned.json").toFile());
    for (var lane : learned.path("lanes")) {
      all.add(
          "%s %s"
              .formatted(
                  lane.path("provider").asText(),
                  lane.path("key").asText().replaceFirst("\\+.*", "+")));
    }
    return all;
  }

  private String at(String path) {
    return desk.simulator().uri() + path;
  }

  private void batch(String url, String... more) throws IOException {
    Files.deleteIfExists(desk.file("out.jsonl"));
    var args =
        new String[] {
          "batch",
          desk.file("in.jsonl").toString(),
          "-o",
          desk.file("out.jsonl").toString(),
          "--base-url",
          url,
          "--no-history"
        };
    var all = java.util.Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    var screen = desk.flyball(all);
    assertThat(screen.exit()).as(screen.err()).isZero();
  }

  @Test
  void what_was_learned_at_one_address_is_not_taken_for_another() throws Exception {
    batch(at(""), "--provider", "openai");
    var port = desk.simulator().uri().getPort();
    var key = dev.flyball.llm.ApiKey.of("sk-very-secret").fingerprint();
    assertThat(lanes()).containsExactly("openai@127.0.0.1:%d %s".formatted(port, key));

    batch(at("/v1"), "--provider", "openai");
    assertThat(lanes()).as("with or without /v1 it is one server").hasSize(1);

    desk.simulator().close();
    desk.provider(CommandDesk.quick().limit("requests=60/min").headers(Headers.parse("full")));
    batch(at(""), "--provider", "openai");
    assertThat(lanes())
        .containsExactlyInAnyOrder(
            "openai@127.0.0.1:%d %s".formatted(port, key),
            "openai@127.0.0.1:%d %s".formatted(desk.simulator().uri().getPort(), key));
  }

  @Test
  void one_lane_is_forgotten_and_the_others_stay() throws Exception {
    var one = "127.0.0.1:" + desk.simulator().uri().getPort();
    batch(at(""));
    batch(at(""), "--provider", "openai");

    var unknown = desk.flyball("lanes", "--forget", "openai");
    assertThat(unknown.exit()).isEqualTo(2);
    assertThat(unknown.err()).contains("no lane begins with openai");
    var gone = desk.flyball("lanes", "--forget", one);
    assertThat(gone.out()).startsWith("forgotten: " + one + "/m/");
    assertThat(desk.flyball("lanes").out())
        .contains("openai@" + one + "/m/", "requests: 6,000 per minute", "token estimates")
        .doesNotContain("\n" + one);
    assertThat(desk.flyball("lanes", "--help").out()).contains("--forget LANE", "felt");
  }

  @Test
  void headers_that_may_choose_another_limiter_keep_lanes_apart() throws Exception {
    batch(at(""));
    batch(at(""), "--header", "OpenAI-Project=one");
    batch(at(""), "--header", "openai-project=one");
    batch(at(""), "--header", "OpenAI-Project=two");

    var learned = Files.readString(desk.state().resolve("learned.json"));
    assertThat(CommandDesk.JSON.readTree(learned).path("lanes")).hasSize(3);
    assertThat(learned).doesNotContain("one", "two", "sk-very-secret");
  }

  @Test
  void neither_a_query_nor_a_password_of_an_address_is_kept() throws Exception {
    batch(at("/v1?token=hunter2"));

    assertThat(Files.readString(desk.state().resolve("learned.json")))
        .contains("127.0.0.1:" + desk.simulator().uri().getPort())
        .doesNotContain("hunter2", "?");
  }
}
