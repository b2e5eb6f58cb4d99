package dev.flyball.gateway.http;

/**
 * Whoever is told the story of each call: logs, metrics, traces, the dashboard. It is told on an
 * event loop, so it is quick and never blocks; what it throws is logged and harms nobody.
 */
@FunctionalInterface
public interface CallListener {
  /** The next step of a call. The steps of one call come in order. */
  void told(ProxiedCall call, CallStep step);
}
