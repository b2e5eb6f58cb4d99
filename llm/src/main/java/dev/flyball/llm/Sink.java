package dev.flyball.llm;

import java.io.IOException;

/** Takes an answer while it comes, for those who pass it on. Errors never come here. */
public interface Sink {
  void head(Head head) throws IOException;

  void piece(byte[] bytes, int length) throws IOException;
}
