package dev.flyball.history.record;

/** By which prices a cost was computed, or that nobody knew a price. */
public sealed interface PriceBasis {
  /** The prices of one dated list. */
  record Listed(String version) implements PriceBasis {
    public Listed {
      if (version.isBlank()) {
        throw new IllegalArgumentException("a list of prices has a version, but it was blank");
      }
    }
  }

  /** No price is known, so no cost is either. */
  record Unknown() implements PriceBasis {}

  PriceBasis UNKNOWN = new Unknown();
}
