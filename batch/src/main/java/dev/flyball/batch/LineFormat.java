package dev.flyball.batch;

/** The format of an input line, and so of its answer. */
public enum LineFormat {
  /** {@code custom_id}, {@code method}, {@code url}, {@code body}. */
  OPENAI("OpenAI batch"),
  /** {@code custom_id}, {@code params}. */
  ANTHROPIC("Anthropic batch"),
  /** {@code prompt}. */
  PLAIN("plain");

  private final String title;

  LineFormat(String title) {
    this.title = title;
  }

  @Override
  public String toString() {
    return title;
  }
}
