package dev.flyball.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.flyball.llm.reply.ReplyHead;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a host said in the end, be it yes or no. */
final class HostReply {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern NEXT =
      Pattern.compile("<([^<>]{1,4000})>\\s*;[^,]{0,200}rel=\"next\"");

  private final ReplyHead head;
  private final byte[] body;

  HostReply(ReplyHead head, byte[] body) {
    this.head = head;
    this.body = body;
  }

  ReplyHead head() {
    return head;
  }

  byte[] body() {
    return body;
  }

  int status() {
    return head.status();
  }

  boolean worked() {
    return status() >= 200 && status() < 300;
  }

  /** The body as JSON; missing where it is none. */
  JsonNode json() {
    try {
      var node = JSON.readTree(body);
      return node == null ? MissingNode.getInstance() : node;
    } catch (IOException garbled) {
      return MissingNode.getInstance();
    }
  }

  /** The words of a refusal, whichever host wrote it. */
  String words() {
    var node = json();
    var words = new StringBuilder();
    for (var field : new String[] {"message", "error", "error_description", "errors"}) {
      var said = node.path(field);
      if (said.isTextual()) {
        words.append(words.isEmpty() ? "" : ": ").append(said.asText());
      } else if (!said.isMissingNode() && !said.isNull()) {
        words.append(words.isEmpty() ? "" : ": ").append(said);
      }
    }
    return words.isEmpty() && node.isMissingNode()
        ? new String(body, 0, Math.min(body.length, 500), StandardCharsets.UTF_8)
        : words.toString();
  }

  /** The first error that GraphQL tells, whatever the status; missing if there is none. */
  JsonNode graphError() {
    return json().path("errors").path(0);
  }

  /** Where the next page is, if there is one. */
  Optional<String> next() {
    var link = NEXT.matcher(head.first("link").orElse(""));
    return link.find() ? Optional.of(link.group(1)) : Optional.empty();
  }
}
