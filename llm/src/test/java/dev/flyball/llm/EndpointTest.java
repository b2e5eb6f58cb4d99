package dev.flyball.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.llm.reply.ReplyHeads;
import java.net.InetAddress;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The addresses of requests, and what they show of a key. */
class EndpointTest {
  @ParameterizedTest
  @CsvSource({
    "https://api.anthropic.com, /v1/messages, https://api.anthropic.com/v1/messages",
    "https://api.anthropic.com/, /v1/messages, https://api.anthropic.com/v1/messages",
    "https://api.openai.com/v1, /v1/chat/completions, https://api.openai.com/v1/chat/completions",
    "https://api.openai.com/v1/, /v1/chat/completions, https://api.openai.com/v1/chat/completions",
    "https://api.openai.com/v1//, v1/embeddings, https://api.openai.com/v1/embeddings",
    "https://api.groq.com/openai/v1, /v1/responses, https://api.groq.com/openai/v1/responses",
    "https://host/v1beta/openai, /v1/chat/completions, https://host/v1beta/openai/chat/completions",
    "https://host/v1beta/openai/, /v1/models, https://host/v1beta/openai/models",
    "http://host:8080/a/b, /v1/messages, http://host:8080/a/b/v1/messages",
    "http://host/v1, /chat/completions, http://host/v1/chat/completions",
    "http://host/v1, /v1, http://host/v1",
    "http://host/v1?a=b, /v1/messages, http://host/v1/messages?a=b",
    "http://host/v1, /v1/messages?beta=true, http://host/v1/messages?beta=true",
    "http://host/v1?a=b, /v1/messages?c=%20d, http://host/v1/messages?a=b&c=%20d",
    "http://host/v1?, /v1/messages?, http://host/v1/messages",
    "http://host/versions, /v1/messages, http://host/versions/v1/messages",
    "http://[::1]:9/v1, /v1/messages, http://[::1]:9/v1/messages",
    "HTTP://Host/v1, /v1/messages, HTTP://Host/v1/messages",
    "http://host, //other.example/v1, http://host//other.example/v1",
    "http://host, @other.example/v1, http://host/@other.example/v1",
    "https://me.openai.azure.com, /v1/responses, https://me.openai.azure.com/openai/v1/responses",
    "https://me.openai.azure.com/, /v1/responses, https://me.openai.azure.com/openai/v1/responses",
    "https://me.openai.azure.com/openai/v1, /v1/a, https://me.openai.azure.com/openai/v1/a",
    "https://h/openai/deployments/d?api-version=1, /v1/a,"
        + " https://h/openai/deployments/d/a?api-version=1"
  })
  void the_version_is_there_once_wherever_it_was(String root, String path, String whole) {
    assertThat(Endpoint.at("p", URI.create(root)).resolve(path)).isEqualTo(URI.create(whole));
  }

  @ParameterizedTest
  @ValueSource(strings = {"api.openai.com", "ftp://host", "http:///v1", "/v1", "mailto:a@b"})
  void an_address_that_is_none_is_refused(String root) {
    assertThatThrownBy(() -> Endpoint.at("p", URI.create(root)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("http:// or https://");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://me:hunter2@host/v1",
        "ftp://me:hunter2@host/v1",
        "https://me:hunter2@my_host/v1",
        "ftp://host/v1?key=hunter2"
      })
  void a_password_in_an_address_is_refused_and_not_repeated(String root) {
    assertThatThrownBy(() -> Endpoint.at("p", URI.create(root)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @CsvSource({
    "https://api.openai.com, api.openai.com",
    "https://API.OpenAI.com:443/v1/, api.openai.com",
    "https://host:8443/v1, host:8443",
    "http://host, host:80",
    "http://host:443/v1, host:443",
    "http://127.0.0.1:8089/team-a/v1/, 127.0.0.1:8089/team-a",
    "http://127.0.0.1:8089/team-b, 127.0.0.1:8089/team-b",
    "http://[::1]:9/v1, [::1]:9",
    "https://host/v1beta?key=hunter2#x, host/v1beta",
    "https://host//, host"
  })
  void a_server_is_its_host_port_and_path(String root, String place) {
    assertThat(Endpoint.place(URI.create(root))).isEqualTo(place);
  }

  @Test
  void a_fingerprint_is_of_the_key_and_of_the_headers_and_shows_neither() {
    var endpoint = Endpoint.at("p", URI.create("https://host")).key(ApiKey.of("sk-hunter2"));
    var one = endpoint.headers(Map.of("X-Team", "hunter3", "B", "c"));

    assertThat(endpoint.fingerprint()).isEqualTo(ApiKey.of("sk-hunter2").fingerprint());
    assertThat(one.fingerprint()).matches(endpoint.fingerprint() + "\\+[0-9a-f]{8}");
    assertThat(endpoint.headers(Map.of("b", "c", "x-team", "hunter3")).fingerprint())
        .isEqualTo(one.fingerprint());
    assertThat(endpoint.headers(Map.of("X-Team", "hunter4", "B", "c")).fingerprint())
        .isNotEqualTo(one.fingerprint());
  }

  @Test
  void it_shows_neither_its_key_nor_its_headers_nor_its_query() {
    var endpoint =
        Endpoint.at("p", URI.create("https://host/v1?key=query-secret"))
            .key(ApiKey.of("sk-key-secret"))
            .headers(Map.of("x-auth", "header-secret"));

    assertThat(endpoint.toString())
        .isEqualTo("p at https://host/v1 with " + ApiKey.of("sk-key-secret"));
    assertThat(endpoint.toString()).doesNotContain("secret");
  }

  @Test
  void the_dialect_decides_how_the_key_is_shown_unless_the_provider_does() {
    var endpoint = Endpoint.at("p", URI.create("https://host")).key(ApiKey.of("k"));

    assertThat(endpoint.headersFor(Dialect.ANTHROPIC))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("x-api-key", "k", "anthropic-version", "2023-06-01"));
    assertThat(endpoint.headersFor(Dialect.OPENAI))
        .containsExactlyEntriesOf(Map.of("Authorization", "Bearer k"));
    assertThat(endpoint.auth(Endpoint.Auth.API_KEY).headersFor(Dialect.OPENAI))
        .containsExactlyEntriesOf(Map.of("api-key", "k"));
  }

  @Test
  void a_header_of_the_user_takes_the_place_of_ours() {
    var endpoint =
        Endpoint.at("p", URI.create("https://host"))
            .key(ApiKey.of("k"))
            .headers(Map.of("Anthropic-Version", "2099-01-01", "X-API-Key", "mine"));

    assertThat(endpoint.headersFor(Dialect.ANTHROPIC))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("Anthropic-Version", "2099-01-01", "X-API-Key", "mine"));
  }

  @Test
  void nothing_shows_a_key() {
    var secret = "sk-proj-hunter2hunter2";
    var key = ApiKey.of("  " + secret + "\n");

    assertThat(key.secret()).isEqualTo(secret);
    assertThat(key.toString()).isEqualTo("key " + key.fingerprint()).doesNotContain("hunter2");
    assertThat(key.fingerprint()).matches("[0-9a-f]{8}").isEqualTo(ApiKey.of(secret).fingerprint());
    assertThat(ApiKey.of(secret + "3").fingerprint()).isNotEqualTo(key.fingerprint());
    var request =
        new ProviderRequest(
            Dialect.OPENAI,
            "/v1/x",
            secret.getBytes(java.nio.charset.StandardCharsets.UTF_8),
            Map.of("x-key", secret),
            1);
    assertThat(request.toString()).doesNotContain("hunter2");
    assertThat(new ProviderAnswer(ReplyHeads.of(200), request.body()).toString())
        .doesNotContain("hunter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "  ", "hunter2 hunter2", "hunter2\r\nx: y", "hünter2", "hunter2\u0000"})
  void a_key_that_no_header_can_carry_is_refused_and_not_repeated(String secret) {
    assertThatThrownBy(() -> ApiKey.of(secret))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContainingAny("hunter2", "hünter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://api.example.test",
        "HTTP://api.example.test/v1",
        "http://10.0.0.5:8080",
        "http://localhost.evil.test",
        "http://localhost.",
        "http://127.0.0.1.evil.test",
        "http://127.0.0.1.",
        "http://127.1",
        "http://127.0.1",
        "http://0177.0.0.1",
        "http://127.0.0.01",
        "http://127.0.0.256",
        "http://2130706433",
        "http://0x7f.0.0.1",
        "http://0.0.0.0",
        "http://[::]",
        "http://[::2]",
        "http://[::ffff:10.0.0.5]",
        "http://[fe80::1%25lo]"
      })
  void a_key_goes_to_another_machine_over_https_alone(String root) {
    var address = URI.create(root);
    assertThatThrownBy(() -> Endpoint.at("p", address).key(ApiKey.of("hunter2")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("hunter2");
    assertThatThrownBy(() -> Endpoint.at("p", address).headers(Map.of("X-Api-Key", "hunter2")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void a_key_in_a_query_is_a_key() {
    assertThatThrownBy(() -> Endpoint.at("p", URI.create("http://host.test/v1?api_key=hunter2")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("https://")
        .hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://api.example.test",
        "http://127.0.0.1:8080",
        "http://127.255.255.254",
        "http://[::1]:9/v1",
        "http://[0:0:0:0:0:0:0:1]",
        "http://[::ffff:127.0.0.1]",
        "http://localhost:8080",
        "http://LocalHost"
      })
  void a_key_goes_over_https_and_to_this_machine(String root) {
    assertThat(Endpoint.at("p", URI.create(root)).key(ApiKey.of("k")).key()).isPresent();
  }

  @Test
  void a_key_goes_in_clear_where_the_user_says_so_and_what_is_no_key_goes_anyway() {
    var address = URI.create("http://gpu.example.test:8080");
    assertThat(Endpoint.at("p", address).inClear(true).key(ApiKey.of("k")).key()).isPresent();
    assertThat(Endpoint.at("p", address).key(ApiKey.NONE).headers(Map.of("x-team", "a")).key())
        .contains(ApiKey.NONE);
  }

  @Test
  void a_localhost_that_leads_elsewhere_is_another_machine() throws Exception {
    var here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    var elsewhere = InetAddress.getByAddress(new byte[] {10, 0, 0, 5});
    assertThat(Loopback.is("localhost", host -> new InetAddress[] {here})).isTrue();
    assertThat(Loopback.is("localhost", host -> new InetAddress[] {here, elsewhere})).isFalse();
  }
}
