package dev.flyball.llm.reply;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flyball.call.Reply;

/** Replies to errors as providers write them. */
final class ErrorReplies {
  private ErrorReplies() {}

  static Reply<String> reply(int status, String headers, String body) {
    return ErrorClassifier.classify(ReplyHeads.of(status, headers), body.getBytes(UTF_8));
  }

  static Reply<String> reply(int status, String body) {
    return reply(status, "", body);
  }

  static Reply.Rejected<String> rejected(int status, String body) {
    return (Reply.Rejected<String>) reply(status, body);
  }

  static String openai(String type, String code, String message) {
    return """
    {"error":{"message":"%s","type":"%s","param":null,"code":"%s"}}\
    """
        .formatted(message, type, code);
  }

  static String anthropic(String type, String message) {
    return """
    {"type":"error","error":{"type":"%s","message":"%s"},"request_id":"req_011"}\
    """
        .formatted(type, message);
  }
}
