package dev.flyball.llm;

import dev.flyball.llm.reply.ReplyHead;
import java.io.IOException;

/** The receiver of an answer while it comes, for those who pass it on. Errors never come here. */
public interface AnswerSink {
  void head(ReplyHead head) throws IOException;

  void piece(byte[] bytes, int length) throws IOException;
}
