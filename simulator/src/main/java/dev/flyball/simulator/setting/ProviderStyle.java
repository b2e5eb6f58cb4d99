package dev.flyball.simulator.setting;

/** The real provider that headers and errors are modelled on. */
public enum ProviderStyle {
  /** Whatever fits the path. */
  ANY,
  ANTHROPIC,
  OPENAI,
  AZURE,
  GROQ,
  GEMINI,
  DEEPSEEK;

  /** The style on a path of the Messages API, or on another. */
  public ProviderStyle on(boolean messages) {
    if (messages) {
      return ANTHROPIC;
    }
    return this == ANY || this == ANTHROPIC ? OPENAI : this;
  }
}
