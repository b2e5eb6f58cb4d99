package dev.flyball.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.call.AllowanceTerms;
import dev.flyball.call.Call;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LaneProfile;
import dev.flyball.call.LearnedLimits;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.scheduler.Flyball;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody reads whose Redis cannot be used, at the start and in the middle. */
class UnusableRedisTest {
  private static final LaneId LANE = LaneId.of("provider", "model");

  private static FleetPlace.AtRedis at(int port) {
    return (FleetPlace.AtRedis) FleetPlace.of("redis://127.0.0.1:" + port);
  }

  private static void refused(int port, String why) {
    assertThatThrownBy(() -> Fleet.at(at(port), Fleet.Settings.USUAL))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why)
        .hasMessageNotContaining("\n");
  }

  private static String text(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  @ParameterizedTest
  @ValueSource(strings = {"5.0.14", "6.0.16"})
  void a_redis_that_is_too_old_is_said(String version) throws IOException {
    try (var old = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answer(old, version));
      refused(old.getLocalPort(), "Redis 6.2 or newer is needed");
    }
  }

  /** Says that it is a Redis of a version, and agrees with everything else. */
  private static void answer(ServerSocket server, String version) {
    try {
      while (true) {
        var socket = server.accept();
        Thread.ofVirtual().start(() -> answer(socket, version));
      }
    } catch (IOException over) {
      // The test is.
    }
  }

  private static void answer(Socket socket, String version) {
    try (socket;
        var in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        int words = Integer.parseInt(line.substring(1));
        var command = "";
        for (int i = 0; i < words; i++) {
          in.readLine();
          command += i == 0 ? in.readLine() : " " + in.readLine();
        }
        var reply =
            switch (command.split(" ", 2)[0]) {
              case "INFO" -> text("redis_version:" + version + "\r\n");
              case "HELLO" ->
                  version.startsWith("5")
                      ? "-ERR unknown command `HELLO`, with args beginning with: `2`, \r\n"
                      : "*4\r\n" + text("version") + text(version) + text("proto") + ":2\r\n";
              default -> "+OK\r\n";
            };
        socket.getOutputStream().write(reply.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException over) {
      // The test is.
    }
  }

  @Test
  void a_replica_that_only_reads_is_said() throws IOException {
    try (var redis = new StartedRedis("replicaof 127.0.0.1 1")) {
      refused(redis.port(), "is a read-only replica; name its primary");
    }
  }

  @Test
  void a_full_one_is_said() throws IOException {
    try (var redis = new StartedRedis("maxmemory 1", "maxmemory-policy noeviction")) {
      refused(redis.port(), "is full (maxmemory)");
    }
  }

  private static LearnedLimits.OfLane learned(double perSecond) {
    return new LearnedLimits.OfLane(
        List.of(new LearnedLimits.Learned(Dimension.REQUESTS, 6_000, perSecond)),
        LearnedLimits.Felt.NOTHING,
        Map.of(),
        0,
        Instant.EPOCH);
  }

  private static String ask(Flyball flyball) throws InterruptedException {
    return flyball.answer(Call.to(LANE), call -> Reply.answered("yes", Usage.of(1, 1)));
  }

  @Test
  void a_lane_that_begins_while_nobody_is_there_goes_by_its_part_of_what_was_remembered()
      throws Exception {
    try (var fleet = Fleet.cutOff(at(1), Fleet.Settings.USUAL, 4);
        var flyball =
            Flyball.builder()
                .profiles(lane -> LaneProfile.of(AllowanceTerms.of(Dimension.REQUESTS)))
                .memory(new LearnedLimits(Map.of(LANE, learned(40))))
                .sharedLimit(fleet.limit())
                .build()) {
      long begun = System.nanoTime();
      for (int i = 0; i < 11; i++) {
        assertThat(ask(flyball)).isEqualTo("yes");
      }
      assertThat((System.nanoTime() - begun) / 1e9)
          .as("ten at a quarter of 40/s")
          .isGreaterThan(0.9);
    }
  }

  @Test
  void one_that_becomes_full_in_the_middle_stops_nobody() throws Exception {
    try (var redis = new StartedRedis("maxmemory-policy noeviction");
        var fleet = Fleet.at(redis.place(), Fleet.Settings.USUAL);
        var other = Fleet.at(redis.place(), Fleet.Settings.USUAL);
        var flyball = Flyball.builder().sharedLimit(fleet.limit()).build();
        var second = Flyball.builder().sharedLimit(other.limit()).build()) {
      redis.command("CONFIG", "SET", "maxmemory", "1");
      redis.command("FLUSHALL");
      for (int i = 0; i < 20; i++) {
        assertThat(ask(second)).isEqualTo("yes");
        assertThat(ask(flyball)).isEqualTo("yes");
      }
    }
  }
}
