package dev.flyball.bench.limiters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class HttpMessageTest {
  private static InputStream wire(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void messages_of_one_connection_are_told_apart_and_stay_as_they_are() throws IOException {
    var sized = "HTTP/1.1 429 Too Many\r\nContent-Length: 4\r\n\r\nno\r\n";
    var chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nhello\r\n0\r\nTail: 1\r\n\r\n";
    var ended = "HTTP/1.1 200 OK\r\n\r\nto the end";
    var in = wire(sized + chunked + ended);

    assertThat(HttpMessage.read(in, true).orElseThrow().text()).isEqualTo(sized);
    assertThat(HttpMessage.read(in, true).orElseThrow().text()).isEqualTo(chunked);
    assertThat(HttpMessage.read(in, true).orElseThrow().text()).isEqualTo(ended);
    assertThat(HttpMessage.read(in, true)).isEmpty();
  }

  @Test
  void a_request_without_a_length_has_no_body() throws IOException {
    var in = wire("GET / HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n");

    assertThat(HttpMessage.read(in, false).orElseThrow().head()).startsWith("GET / ");
    assertThat(HttpMessage.read(in, false).orElseThrow().head()).startsWith("GET /2 ");
  }

  @Test
  void a_message_that_is_cut_off_is_none() {
    var in = wire("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\nshort");

    assertThatThrownBy(() -> HttpMessage.read(in, true)).isInstanceOf(EOFException.class);
  }
}
