package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.call.Dimension;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exchanges with a provider that behaves, and with one that does not. */
class ProviderTest {
  private static final String SAID = "Grüße from a flyball governor 🎈";
  private static final String NO_CLOCK = "did not end|had no|stood still|stayed open";

  private static Simulator simulator(String... faults) throws IOException {
    var settings = Settings.of("unlimited").latency(Latency.NONE);
    for (var fault : faults) {
      settings.fault(fault);
    }
    return Simulator.start(settings, 0);
  }

  private static ProviderRequest request(String kind) {
    return switch (kind) {
      case "message" -> Trial.message(SAID);
      case "streamed" -> Trial.streamed(SAID);
      case "chat" -> Trial.chat(SAID);
      case "streamedChat" -> Trial.streamedChat(SAID);
      default -> throw new IllegalArgumentException(kind);
    };
  }

  @ParameterizedTest
  @CsvSource({"message, 12, 9", "streamed, 12, 9", "chat, 12, 9", "streamedChat, 12, 9"})
  void an_answer_comes_byte_for_byte_with_what_it_used(String kind, long input, long output)
      throws Exception {
    try (var simulator = simulator();
        var http = Trial.http()) {
      var request = request(kind);
      var exchange = Trial.exchange(Trial.to(http, simulator.uri()), request);

      var answer = Trial.answered(exchange);
      assertThat(answer.usage()).isEqualTo(Usage.of(input, output));
      var same = byAnotherClient(simulator.uri(), request);
      assertThat(bare(answer.value().body())).isEqualTo(bare(same));
      assertThat(new String(answer.value().body(), StandardCharsets.UTF_8)).contains("🎈");
      assertThat(exchange.head().orElseThrow().status()).isEqualTo(200);
      assertThat(simulator.stats().requests()).isEqualTo(2);
    }
  }

  /** Its second and its name are all that differs between two answers to one question. */
  private static String bare(byte[] body) {
    return new String(body, StandardCharsets.UTF_8)
        .replaceAll("\"created\":\\d+", "\"created\":0")
        .replaceAll("(msg_|chatcmpl-)[0-9a-f]{24}", "$1x");
  }

  private static byte[] byAnotherClient(URI root, ProviderRequest request) throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var other =
          HttpRequest.newBuilder(root.resolve(request.path()))
              .POST(HttpRequest.BodyPublishers.ofByteArray(request.body()));
      if (request.dialect() == Dialect.ANTHROPIC) {
        other.headers("x-api-key", Trial.SECRET, "anthropic-version", "2023-06-01");
      } else {
        other.headers("authorization", "Bearer " + Trial.SECRET);
      }
      return client.send(other.build(), HttpResponse.BodyHandlers.ofByteArray()).body();
    }
  }

  @Test
  void a_sink_gets_the_same_bytes_and_then_they_are_not_kept() throws Exception {
    try (var simulator = simulator();
        var http = Trial.http()) {
      var provider = Trial.to(http, simulator.uri());
      for (var kind : new String[] {"message", "streamed"}) {
        var whole = Trial.answered(Trial.exchange(provider, request(kind)));
        var sink = new Trial.Kept();

        var exchange = provider.exchange(request(kind), new Trial.Sighted(), sink);

        var answer = Trial.answered(exchange);
        assertThat(bare(sink.bytes.toByteArray())).isEqualTo(bare(whole.value().body()));
        assertThat(sink.heads).hasSize(1);
        assertThat(answer.value().body()).isEmpty();
        assertThat(answer.usage()).isEqualTo(whole.usage());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "529, Overloaded",
    "500, Overloaded",
    "html, Overloaded",
    "503, Overloaded",
    "504, Overloaded",
    "400, Rejected",
    "401, Rejected",
    "402, Rejected",
    "403, Rejected",
    "404, Rejected",
    "410, Rejected",
    "413, Rejected",
    "429, Throttled",
    "429:retry-after=7, Throttled",
    "spend-cap, Rejected",
    "daily, Throttled",
    "slow-down, Throttled"
  })
  void an_error_is_what_it_says_in_both_dialects_plain_and_streamed(String fault, String expected)
      throws Exception {
    try (var simulator = simulator(fault);
        var http = Trial.http()) {
      var provider = Trial.to(http, simulator.uri());
      var kinds = new String[] {"message", "streamed", "chat", "streamedChat"};
      for (var kind : kinds) {
        var attempt = new Trial.Sighted();
        var exchange = provider.exchange(request(kind), attempt);

        assertThat(exchange.reply().getClass().getSimpleName()).as(kind).isEqualTo(expected);
        assertThat(exchange.head()).isPresent();
        assertThat(exchange.toString()).doesNotContain(Trial.SECRET);
      }
      assertThat(simulator.stats().requests()).isEqualTo(kinds.length);
    }
  }

  /** Anthropic says it as if waiting would help. */
  @Test
  void a_request_that_can_never_fit_is_refused_where_the_provider_says_so() throws Exception {
    try (var simulator = simulator("too-large");
        var http = Trial.http()) {
      var exchange = Trial.exchange(Trial.to(http, simulator.uri()), request("chat"));

      assertThat(Trial.rejected(exchange).advice()).contains("smaller");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cut, message, Broken, the connection broke",
    "cut, streamed, Broken, the connection broke",
    "cut:after=3, message, CutShort, the connection broke",
    "cut:after=5, streamed, CutShort, the connection broke",
    "cut:after=3, streamedChat, CutShort, the connection broke",
    "truncated, message, CutShort, not whole JSON",
    "truncated:after=5, streamed, CutShort, before its end",
    "truncated:after=3, streamedChat, CutShort, before its end",
    "malformed, message, CutShort, not whole JSON",
    "malformed:after=3, streamed, Answered, ''",
    "error-event:after=5, streamed, CutShort, Overloaded",
    "error-event:after=1, streamed, CutShort, Overloaded",
    "error-event:after=1, streamedChat, Overloaded, overloaded",
    "error-event:after=3, streamedChat, CutShort, overloaded",
    "content-type, message, Answered, ''",
    "empty, message, CutShort, not whole JSON",
    "empty, streamed, CutShort, before its end",
    "keep-alive, message, Answered, ''",
    "keep-alive, streamed, Answered, ''",
    "keep-alive, streamedChat, Answered, ''",
    "gzip, message, Answered, ''",
    "gzip, chat, Answered, ''",
    "double-end, streamed, Answered, ''",
    "double-end, streamedChat, Answered, ''",
    "slow:delay=50ms, message, Answered, ''",
    "slow:delay=50ms, streamed, Answered, ''"
  })
  void what_goes_wrong_on_the_way_is_told_apart(
      String fault, String kind, String expected, String words) throws Exception {
    try (var simulator = simulator(fault);
        var http = Trial.http()) {
      var exchange = Trial.exchange(Trial.to(http, simulator.uri()), request(kind));

      assertThat(exchange.reply().getClass().getSimpleName()).isEqualTo(expected);
      assertThat(exchange.reply().toString()).contains(words).doesNotContainPattern(NO_CLOCK);
      assertThat(simulator.stats().requests()).isEqualTo(1);
      if (exchange.reply() instanceof Reply.CutShort<ProviderAnswer> cut) {
        assertThat(cut.usage().input()).as("what was sent is billed").isPositive();
      }
      if (exchange.reply() instanceof Reply.Answered<ProviderAnswer> answer) {
        assertThat(answer.usage().output()).isPositive();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "hang, message, Broken, had no first byte within 200 ms",
    "hang, streamed, Broken, had no first byte within 200 ms",
    "slow:delay=20s, message, Broken, had no first byte within 200 ms",
    "slow:delay=20s, streamed, Broken, had no first byte within 200 ms",
    "stall:after=5, streamed, CutShort, stood still within 100 ms",
    "stall:after=3, streamedChat, CutShort, stood still within 100 ms"
  })
  void what_never_comes_is_cut(String fault, String kind, String expected, String words)
      throws Exception {
    var timeouts = Trial.SHORT.firstByte(Duration.ofMillis(200)).idle(Duration.ofMillis(100));
    try (var simulator = simulator(fault);
        var http = Trial.http(timeouts)) {
      var exchange = Trial.exchange(Trial.to(http, simulator.uri()), request(kind));

      assertThat(exchange.reply().getClass().getSimpleName()).isEqualTo(expected);
      assertThat(exchange.reply().toString()).contains(words);
      assertThat(simulator.stats().requests()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"message", "streamed", "chat", "streamedChat"})
  void usage_that_counts_nothing_is_estimated(String kind) throws Exception {
    try (var simulator = simulator("no-usage");
        var http = Trial.http()) {
      var answer = Trial.answered(Trial.exchange(Trial.to(http, simulator.uri()), request(kind)));

      assertThat(answer.usage().input()).isEqualTo(42);
      assertThat(answer.usage().output()).isPositive();
    }
  }

  @Test
  void a_throttled_reply_names_its_limit_and_an_answer_its_level() throws Exception {
    var settings = Settings.of("anthropic-tier1").latency(Latency.NONE).limit("requests=1/min");
    try (var simulator = Simulator.start(settings, 0);
        var http = Trial.http()) {
      var provider = Trial.to(http, simulator.uri());
      var body = new String(Trial.message(SAID).body(), StandardCharsets.UTF_8);
      var claude = body.replace("\"m\"", "\"claude-sonnet-4-5\"").getBytes(StandardCharsets.UTF_8);
      var request = new ProviderRequest(Dialect.ANTHROPIC, "/v1/messages", claude);
      var attempt = new Trial.Sighted();

      Trial.answered(provider.exchange(request, attempt));
      var second = provider.exchange(request, new Trial.Sighted()).reply();

      assertThat(attempt.signals).hasSize(1);
      assertThat(attempt.signals.getFirst().sightings())
          .anyMatch(
              seen ->
                  seen.dimension().equals(Dimension.REQUESTS)
                      && seen.limit().orElseThrow() == 1
                      && seen.remaining().orElseThrow() == 0);
      assertThat(second).isInstanceOf(Reply.Throttled.class);
      assertThat(second.signals().retryAfter()).isPresent();
    }
  }

  @Test
  void after_a_thousand_mixed_faults_no_connection_is_lost() throws Exception {
    var faults =
        new String[] {
          "529:share=0.1",
          "cut:share=0.1",
          "cut:after=5,share=0.1",
          "html:share=0.1",
          "truncated:after=4,share=0.1",
          "empty:share=0.1",
          "gzip:share=0.1",
          "error-event:after=3,share=0.1",
          "stall:after=4,share=0.03",
          "hang:share=0.02"
        };
    var timeouts = Trial.SHORT.firstByte(Duration.ofMillis(300)).idle(Duration.ofMillis(200));
    try (var simulator = simulator(faults);
        var http = Trial.http(timeouts)) {
      var provider = Trial.to(http, simulator.uri());
      var replies = new AtomicInteger();
      var some = new Semaphore(32);
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < 1_000; i++) {
          var said = "number " + i;
          var request =
              switch (i % 4) {
                case 0 -> Trial.message(said);
                case 1 -> Trial.streamed(said);
                case 2 -> Trial.chat(said);
                default -> Trial.streamedChat(said);
              };
          threads.execute(
              () -> {
                some.acquireUninterruptibly();
                try {
                  Trial.exchange(provider, request);
                  replies.incrementAndGet();
                } catch (InterruptedException never) {
                  throw new IllegalStateException(never);
                } finally {
                  some.release();
                }
              });
        }
      }

      assertThat(replies).hasValue(1_000);
      Trial.assertNothingLeased(http);
      assertThat(http.connections.getTotalStats().getPending()).isZero();
      assertThat(http.timer.getQueue()).isEmpty();
      assertThat(simulator.stats().requests()).isEqualTo(1_000);
      assertThat(Trial.exchange(provider, Trial.message("the last")).head()).isPresent();
    }
  }
}
