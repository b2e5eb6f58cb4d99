package dev.flyball.forecast;

import java.util.Locale;

/** The way in which the use of a provider is paid. */
public enum BillingMode {
  /** A flat price: use costs nothing more, as long as the plan's allowance lasts. */
  SUBSCRIPTION,
  /** By the token. */
  API,
  /** Not at all: it runs on this machine. */
  LOCAL;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
