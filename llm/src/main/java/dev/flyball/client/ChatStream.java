package dev.flyball.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.flyball.call.Usage;
import dev.flyball.llm.AnswerSink;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.reply.ReplyHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.Consumer;

/** The text of an answer that comes as a stream of events, passed on piece by piece. */
final class ChatStream implements AnswerSink {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DATA = "data:";

  private final Dialect dialect;
  private final Consumer<String> listener;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final StringBuilder text = new StringBuilder();
  private String stopped = "";

  ChatStream(Dialect dialect, Consumer<String> listener) {
    this.dialect = dialect;
    this.listener = listener;
  }

  @Override
  public void head(ReplyHead head) {}

  @Override
  public void piece(byte[] bytes, int length) throws IOException {
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        line(line.toString(UTF_8).strip());
        line.reset();
      } else {
        line.write(bytes[i]);
      }
    }
  }

  private void line(String said) throws IOException {
    if (!said.startsWith(DATA) || said.endsWith("[DONE]")) {
      return;
    }
    var event = JSON.readTree(said.substring(DATA.length()));
    switch (dialect) {
      case ANTHROPIC -> {
        var delta = event.path("delta");
        add(delta.path("text"));
        stop(delta.path("stop_reason"));
      }
      case OPENAI -> {
        var choice = event.path("choices").path(0);
        add(choice.path("delta").path("content"));
        stop(choice.path("finish_reason"));
      }
    }
  }

  private void add(JsonNode piece) {
    if (piece.isTextual() && !piece.asText().isEmpty()) {
      text.append(piece.asText());
      listener.accept(piece.asText());
    }
  }

  private void stop(JsonNode reason) {
    if (reason.isTextual()) {
      stopped = reason.asText();
    }
  }

  ChatAnswer answer(Usage usage) {
    return new ChatAnswer(text.toString(), usage, stopped, MissingNode.getInstance());
  }
}
