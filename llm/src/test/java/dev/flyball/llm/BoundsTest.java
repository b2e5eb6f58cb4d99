package dev.flyball.llm;

import static dev.flyball.llm.Trial.ANSWER;
import static dev.flyball.llm.Trial.JSON;
import static dev.flyball.llm.Trial.OK;
import static dev.flyball.llm.Trial.STREAM;
import static dev.flyball.llm.Trial.answered;
import static dev.flyball.llm.Trial.chunk;
import static dev.flyball.llm.Trial.cutShort;
import static dev.flyball.llm.Trial.exchange;
import static dev.flyball.llm.Trial.message;
import static dev.flyball.llm.Trial.rejected;
import static dev.flyball.llm.Trial.reply;
import static dev.flyball.llm.Trial.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What no provider can do to us: hold an attempt, fill the memory, answer a call nobody made. */
@Timeout(60)
final class BoundsTest {
  private static final String CHUNKED = OK + JSON + "Transfer-Encoding: chunked\r\n\r\n";
  private static final Timeouts QUICK =
      Trial.SHORT.firstByte(Duration.ofMillis(400)).total(Duration.ofSeconds(30));

  /** Says a piece twenty times a second for ever. */
  private static RawServer dripping(String head, String piece) throws Exception {
    return RawServer.playing(
        line -> {
          line.hear();
          line.say(head);
          for (; ; ) {
            line.say(chunk(piece));
            TimeUnit.MILLISECONDS.sleep(50);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "\n"})
  void blanks_do_not_hold_a_plain_answer(String blank) throws Exception {
    try (var server = dripping(CHUNKED, blank);
        var http = Trial.http(QUICK)) {
      var reply = cutShort(exchange(to(http, server.uri()), message("Hi")));

      assertThat(reply.message()).isEqualTo("sent only signs of life within 400 ms");
      Trial.assertNothingLeased(http);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {": alive\n\n", "event: ping\ndata: {\"type\":\"ping\"}\n\n", "\n", "x"})
  void signs_of_life_do_not_hold_a_stream(String sign) throws Exception {
    try (var server = dripping(STREAM, sign);
        var http = Trial.http(QUICK)) {
      var reply = cutShort(exchange(to(http, server.uri()), message("Hi")));

      assertThat(reply.message()).isEqualTo("sent only signs of life within 400 ms");
    }
  }

  @Test
  void an_answer_that_drips_is_cut() throws Exception {
    try (var server = dripping(CHUNKED, "a");
        var http = Trial.http(QUICK)) {
      var reply = cutShort(exchange(to(http, server.uri()), message("Hi")));

      assertThat(reply.message()).isEqualTo("only dripped within 400 ms");
    }
  }

  @Test
  void a_slow_stream_of_events_goes_on() throws Exception {
    var event = "data: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"a few words\"}}\n\n";
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(STREAM + chunk(Trial.START));
                  for (int i = 0; i < 20; i++) {
                    line.say(chunk(event));
                    TimeUnit.MILLISECONDS.sleep(75);
                    line.say(chunk(": alive\n\n"));
                  }
                  line.say(chunk(Trial.STOP) + "0\r\n\r\n");
                });
        var http = Trial.http(QUICK)) {
      assertThat(answered(exchange(to(http, server.uri()), message("Hi"))).usage().input())
          .isEqualTo(11);
    }
  }

  @Test
  void the_total_follows_from_the_longest_answer() {
    var request = message("Hi");

    assertThat(Timeouts.USUAL.of(request).total()).isEqualTo(Duration.ofMinutes(60));
    assertThat(Timeouts.USUAL.of(request.atMost(OptionalLong.of(400))).total())
        .isEqualTo(Duration.ofSeconds(700));
    assertThat(Timeouts.USUAL.of(request.atMost(OptionalLong.of(Long.MAX_VALUE))).total())
        .isEqualTo(Duration.ofMinutes(60));
    assertThat(Timeouts.USUAL.of(request.within(Duration.ofHours(2))).total())
        .isEqualTo(Duration.ofHours(2));
  }

  @Test
  void whatever_is_in_flight_can_be_cut_and_whatever_comes_later_is() throws Exception {
    try (var server = RawServer.playing(line -> line.awaitEnd());
        var http = Trial.http()) {
      var sighted = new Trial.Sighted();
      var provider = to(http, server.uri());
      Thread.startVirtualThread(
          () -> {
            while (server.connections() == 0) {
              Thread.onSpinWait();
            }
            http.cut("the run has ended");
          });

      assertThat(Trial.broken(provider.exchange(message("Hi"), sighted)).message())
          .isEqualTo("the run has ended");
      assertThat(Trial.broken(provider.exchange(message("Hi"), sighted)))
          .isEqualTo(new Reply.Broken<>("the run has ended", false));
    }
  }

  @Test
  void an_answer_far_beyond_what_was_asked_for_is_refused_and_counts_as_billed() throws Exception {
    var piece = chunk("a".repeat(1 << 16)).getBytes(StandardCharsets.UTF_8);
    try (var server =
            RawServer.playing(
                line -> {
                  line.hear();
                  line.say(CHUNKED);
                  line.sayForever(piece);
                });
        var http = Trial.http()) {
      var request = message("Hi").atMost(OptionalLong.of(500));
      var reply = rejected(exchange(to(http, server.uri()), request));

      assertThat(reply.message()).contains("far more than was asked for");
      assertThat(reply.whole()).isFalse();
      assertThat(reply.usage().input()).isEqualTo(42);
      assertThat(reply.usage().output()).isEqualTo(500);
      Trial.assertNothingLeased(http);
    }
  }

  @Test
  void an_announced_length_is_refused_before_it_comes() throws Exception {
    var head = OK + JSON + "Content-Length: 999999999999\r\n\r\n{";

    assertThat(rejected(Trial.heard(head)).message()).contains("larger than");
  }

  @Test
  void all_replies_share_one_room_and_give_it_back() throws Exception {
    var room = new ReplyRoom(1 << 20);
    var timer = new ScheduledThreadPoolExecutor(1);
    try (var watch = new AttemptWatch(timer, Trial.SHORT, () -> {});
        var small = room.buffer(OptionalLong.empty())) {
      small.add(new byte[64 << 10], 64 << 10, watch);
      try (var first = room.buffer(OptionalLong.empty())) {
        first.add(new byte[1 << 20], 1 << 20, watch);
        assertThatThrownBy(() -> first.add(new byte[1], 1, watch))
            .isInstanceOf(ReplyRoom.TooLarge.class);
        watch.cut("the run has ended");
        try (var second = room.buffer(OptionalLong.empty())) {
          assertThatThrownBy(() -> second.add(new byte[1 << 20], 1 << 20, watch))
              .hasMessage("cut while it waited for room");
        }
      }
      try (var third = room.buffer(OptionalLong.empty())) {
        third.add(new byte[1 << 20], 1 << 20, watch);
        assertThat(third.whole()).hasSize(1 << 20);
      }
      assertThat(small.whole()).hasSize(64 << 10);
    } finally {
      timer.shutdownNow();
    }
  }

  /** The first request of each connection is answered twice. */
  private static RawServer twice(long pause) throws Exception {
    var ours = reply(OK + JSON, ANSWER);
    var unasked = reply(OK + JSON, ANSWER.replace("[]", "[\"UNASKED\"]"));
    return RawServer.playing(
        line -> {
          line.hear();
          if (pause == 0) {
            line.say(ours + unasked);
          } else {
            line.say(ours);
            TimeUnit.MILLISECONDS.sleep(pause);
            line.say(unasked);
          }
          while (line.hear()) {
            line.say(ours);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 20, 250})
  void a_second_response_is_nobodys_answer(long pause) throws Exception {
    try (var server = twice(pause);
        var http = Trial.http()) {
      var provider = to(http, server.uri());
      for (int i = 0; i < 3; i++) {
        var body = answered(exchange(provider, message("Hi"))).value().body();
        assertThat(new String(body, StandardCharsets.UTF_8)).isEqualTo(ANSWER);
        TimeUnit.MILLISECONDS.sleep(2 * pause);
      }
      assertThat(server.connections()).isEqualTo(3);
    }
  }

  @Test
  void a_connection_without_more_is_used_again() throws Exception {
    try (var server = RawServer.saying(reply(OK + JSON, ANSWER));
        var http = Trial.http()) {
      var provider = to(http, server.uri());
      for (int i = 0; i < 3; i++) {
        answered(exchange(provider, message("Hi")));
      }
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"
      })
  void a_reply_of_two_lengths_is_the_last_of_its_connection(String lengths) throws Exception {
    try (var server = RawServer.saying(OK + JSON + lengths + "\r\n" + chunk(ANSWER) + "0\r\n\r\n");
        var http = Trial.http()) {
      var provider = to(http, server.uri());
      exchange(provider, message("Hi"));
      exchange(provider, message("Hi"));

      assertThat(server.connections()).isEqualTo(2);
    }
  }
}
