package dev.flyball.simulator.wire;

/** A service that a path asks for. */
public enum Endpoint {
  MESSAGES,
  COUNT_TOKENS,
  CHAT,
  RESPONSES,
  EMBEDDINGS,
  MODELS,
  RATE_LIMITS,
  NONE;

  /** By the end of the path, so that every provider's prefix will do. */
  public static Endpoint of(String method, String path) {
    if (method.equals("GET")) {
      return path.endsWith("/models")
          ? MODELS
          : path.endsWith("/organizations/rate_limits") ? RATE_LIMITS : NONE;
    }
    if (!method.equals("POST")) {
      return NONE;
    }
    if (path.endsWith("/messages")) {
      return MESSAGES;
    }
    if (path.endsWith("/messages/count_tokens")) {
      return COUNT_TOKENS;
    }
    if (path.endsWith("/chat/completions")) {
      return CHAT;
    }
    if (path.endsWith("/responses")) {
      return RESPONSES;
    }
    return path.endsWith("/embeddings") ? EMBEDDINGS : NONE;
  }

  /** Whether only Anthropic has it. */
  public boolean anthropic() {
    return this == MESSAGES || this == COUNT_TOKENS || this == RATE_LIMITS;
  }

  public boolean streams() {
    return this == MESSAGES || this == CHAT || this == RESPONSES;
  }
}
