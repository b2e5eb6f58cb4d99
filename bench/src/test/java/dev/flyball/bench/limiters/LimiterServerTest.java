package dev.flyball.bench.limiters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.bench.limiters.LimiterServer.Haproxy;
import dev.flyball.bench.limiters.LimiterServer.Nginx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LimiterServerTest {
  @Test
  void nginx_is_told_its_limit_and_how_to_refuse() {
    var nginx = Nginx.requests("10r/s", "burst=10 nodelay").telling(3);

    assertThat(nginx.config(Path.of("/run/here"), 81, 82, nginx.zone()))
        .contains("rate=10r/s", "limit_req zone=calls burst=10 nodelay;", "limit_req_status 429;")
        .contains(
            "listen 127.0.0.1:81;", "server 127.0.0.1:82;", "429 \"3\";", "/run/here/nginx.pid")
        .doesNotContain("@");
  }

  @Test
  void nginx_refuses_by_its_default_when_no_status_is_set() {
    var nginx = Nginx.connections(4).by503();

    assertThat(nginx.config(Path.of("/run/here"), 81, 82, nginx.zone()))
        .contains("limit_conn calls 4;", "429 \"\";")
        .doesNotContain("_status");
  }

  @Test
  void haproxy_is_told_its_window() {
    assertThat(new Haproxy(100, Duration.ofSeconds(10)).config(81, 82))
        .contains("http_req_rate(10s)", "gt 100", "bind 127.0.0.1:81")
        .doesNotContain("@");
  }

  @Test
  void a_word_that_nothing_is_given_for_is_named() {
    assertThatThrownBy(() -> new ConfigTemplate("listen @port@;").fill(Map.of()))
        .hasMessageContaining("@port@");
  }
}
