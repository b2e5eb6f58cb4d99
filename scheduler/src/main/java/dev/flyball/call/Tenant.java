package dev.flyball.call;

/** Whoever shares a lane with others, and the weight of their share. */
public record Tenant(String name, double weight) {
  public static final Tenant ONLY = new Tenant("", 1);

  public Tenant {
    if (!(weight > 0) || weight == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "a tenant's weight is a number above 0, but '" + name + "' has " + weight);
    }
  }
}
