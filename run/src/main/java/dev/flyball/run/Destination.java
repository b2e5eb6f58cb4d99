package dev.flyball.run;

import dev.flyball.llm.Provider;
import java.util.List;

/**
 * The destination of requests of one dialect.
 *
 * @param style how the provider counts
 * @param providers the same one under each key, at least once
 */
public record Destination(String style, List<Provider> providers) {
  public Destination {
    providers = List.copyOf(providers);
    if (providers.isEmpty()) {
      throw new IllegalArgumentException("a destination has at least one provider");
    }
  }
}
