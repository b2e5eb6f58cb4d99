package dev.flyball.llm;

import java.util.Map;

/**
 * One request as it goes over the wire.
 *
 * @param path such as {@code /v1/messages}
 * @param body sent byte for byte
 * @param headers of this request alone
 * @param input estimated tokens of its prompt: what a reply is taken to have used that does not say
 */
// Nobody compares these, and copying every body would cost.
@SuppressWarnings("ArrayRecordComponent")
public record Ask(
    Dialect dialect, String path, byte[] body, Map<String, String> headers, long input) {
  public Ask {
    headers = Endpoint.sendable(headers);
  }

  public Ask(Dialect dialect, String path, byte[] body) {
    this(dialect, path, body, Map.of(), 0);
  }

  @Override
  public String toString() {
    return "Ask[" + path + ", " + body.length + " bytes]";
  }
}
