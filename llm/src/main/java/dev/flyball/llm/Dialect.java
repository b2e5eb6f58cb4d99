package dev.flyball.llm;

/** The wire format of a provider: its paths, its headers, its shape of reply. */
public enum Dialect {
  /** {@code /v1/messages}. */
  ANTHROPIC,
  /** {@code /v1/chat/completions}, {@code /v1/responses}, {@code /v1/embeddings}. */
  OPENAI
}
