package dev.flyball.llm;

/** How a provider is spoken to: which paths, which headers, which shape of reply. */
public enum Dialect {
  /** {@code /v1/messages}. */
  ANTHROPIC,
  /** {@code /v1/chat/completions}, {@code /v1/responses}, {@code /v1/embeddings}. */
  OPENAI
}
