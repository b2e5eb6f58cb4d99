package dev.flyball.history.record;

/** The prices by which a cost was computed, if any were known. */
public sealed interface PriceBasis {
  /** The prices of one dated list. */
  record Listed(String version) implements PriceBasis {
    public Listed {
      if (version.isBlank()) {
        throw new IllegalArgumentException("a list of prices has a version, but it was blank");
      }
    }
  }

  /** No known price, and so no cost either. */
  record Unknown() implements PriceBasis {}

  PriceBasis UNKNOWN = new Unknown();
}
