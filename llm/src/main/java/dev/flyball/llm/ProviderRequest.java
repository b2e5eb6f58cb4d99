package dev.flyball.llm;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One request as it goes over the wire.
 *
 * @param path such as {@code /v1/messages}
 * @param body sent byte for byte
 * @param headers of this request alone
 * @param input estimated tokens of its prompt: what a reply is taken to have used that does not say
 * @param longest the most tokens that its answer may have, if it says so: what is far beyond that
 *     is refused
 * @param within how long it may take from sending to its end, if not as long as all others
 */
// Nobody compares these, and copying every body would cost.
@SuppressWarnings("ArrayRecordComponent")
public record ProviderRequest(
    Dialect dialect,
    String path,
    byte[] body,
    Map<String, String> headers,
    long input,
    OptionalLong longest,
    Optional<Duration> within) {
  public ProviderRequest {
    headers = Endpoint.sendable(headers);
  }

  public ProviderRequest(
      Dialect dialect, String path, byte[] body, Map<String, String> headers, long input) {
    this(dialect, path, body, headers, input, OptionalLong.empty(), Optional.empty());
  }

  ProviderRequest(Dialect dialect, String path, byte[] body) {
    this(dialect, path, body, Map.of(), 0);
  }

  /** The same, cut when it has not ended after so long. */
  public ProviderRequest within(Duration time) {
    return new ProviderRequest(dialect, path, body, headers, input, longest, Optional.of(time));
  }

  /** The same for an answer of at most so many tokens. */
  public ProviderRequest atMost(OptionalLong tokens) {
    return new ProviderRequest(dialect, path, body, headers, input, tokens, within);
  }

  @Override
  public String toString() {
    return "ProviderRequest[" + path + ", " + body.length + " bytes]";
  }
}
