package dev.flyball.call;

/**
 * One of those who share a lane, and the weight of their share.
 *
 * @param name unique in a lane
 * @param weight above 0; a tenant of weight 2 gets twice as much as one of weight 1 while both wait
 */
public record Tenant(String name, double weight) {
  /** Whoever shares with nobody. */
  public static final Tenant ONLY = new Tenant("", 1);

  /**
   * Checks the weight.
   *
   * @throws IllegalArgumentException if it is not a number above 0
   */
  public Tenant {
    if (!(weight > 0) || weight == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "a tenant's weight is a number above 0, but '" + name + "' has " + weight);
    }
  }
}
