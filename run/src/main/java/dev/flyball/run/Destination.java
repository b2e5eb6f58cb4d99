package dev.flyball.run;

import dev.flyball.llm.Provider;
import java.util.List;

/**
 * Where requests of one dialect go.
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
