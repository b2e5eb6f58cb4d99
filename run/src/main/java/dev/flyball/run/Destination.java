package dev.flyball.run;

import dev.flyball.call.LaneId;
import dev.flyball.llm.Provider;
import java.util.List;

/**
 * The destination of requests of one dialect.
 *
 * @param name of the provider in the names of its lanes. At an address that is not its own it has
 *     the address too: what was learned of one server is nothing that another one keeps to
 * @param style how the provider counts
 * @param providers the same one under each key, at least once
 */
public record Destination(String name, String style, List<Provider> providers) {
  public Destination {
    providers = List.copyOf(providers);
    if (providers.isEmpty()) {
      throw new IllegalArgumentException("a destination has at least one provider");
    }
  }

  /** The lane of a class of models under the key and the headers of one of its providers. */
  public LaneId lane(Provider provider, String modelClass) {
    return new LaneId(name, modelClass, provider.endpoint().fingerprint(), "");
  }
}
