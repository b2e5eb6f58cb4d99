package dev.flyball.simulator;

/** Whose manners a provider has: what its headers and its errors look like. */
enum Style {
  /** Whatever fits the path. */
  ANY,
  ANTHROPIC,
  OPENAI,
  AZURE,
  GROQ,
  GEMINI,
  DEEPSEEK;

  /** The manners on a path of the Messages API, or on another. */
  Style on(boolean messages) {
    if (messages) {
      return ANTHROPIC;
    }
    return this == ANY || this == ANTHROPIC ? OPENAI : this;
  }
}
