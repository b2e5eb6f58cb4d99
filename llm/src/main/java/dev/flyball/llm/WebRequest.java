package dev.flyball.llm;

import dev.flyball.llm.reply.ReplyHead;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/**
 * One request to a server that is no provider of models, such as a host of code.
 *
 * @param address all of it, with its query
 * @param headers may carry a secret
 * @param body empty where there is none; else JSON
 * @param longest bytes that a reply may have
 */
public record WebRequest(
    String method, URI address, Map<String, String> headers, String body, int longest) {
  public WebRequest {
    headers = Endpoint.sendable(headers);
    var scheme = String.valueOf(address.getScheme());
    boolean secret = headers.keySet().stream().anyMatch(Endpoint::isCredential);
    if (secret && !scheme.equals("https") && !Loopback.is(String.valueOf(address.getHost()))) {
      throw new Endpoint.KeyInClear(String.valueOf(address.getHost()));
    }
  }

  /** Without its headers, which may be secrets, and without its query. */
  @Override
  public String toString() {
    return method + " " + address.getHost() + address.getRawPath();
  }

  /** The whole reply to a {@link WebRequest}, whatever its status. */
  public static final class Answer {
    private final ReplyHead head;
    private final byte[] body;

    Answer(ReplyHead head, byte[] body) {
      this.head = head;
      this.body = body;
    }

    public ReplyHead head() {
      return head;
    }

    /** As it came; whoever has it may keep it. */
    public byte[] body() {
      return body;
    }
  }

  /**
   * There is no whole reply. Its message is for people.
   *
   * <p>{@link #sent} tells whether the server may have seen the request, and {@link #lasting}
   * whether the next one would end the same way.
   */
  public static final class Failure extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean sent;
    private final boolean lasting;

    Failure(String message, boolean sent, boolean lasting, Throwable cause) {
      super(message, cause);
      this.sent = sent;
      this.lasting = lasting;
    }

    public boolean sent() {
      return sent;
    }

    public boolean lasting() {
      return lasting;
    }
  }
}
