package dev.flyball.worlds;

import java.util.List;

/**
 * A provider and what happens to it.
 *
 * @param latency seconds to an answer, in the mean
 * @param jitter by which part of itself a latency varies
 * @param refusal seconds to a 429 or a 5xx
 * @param network how much of these is spent on the way there and back
 * @param foreign part of each limit's refill that somebody else takes
 * @param unsteady whether the foreign load comes at random or evenly
 * @param streaming whether response headers come early
 * @param faults what goes wrong, when
 * @param changes when limits become what part of themselves
 */
public record Scenario(
    String name,
    List<TrueLimit> limits,
    Style style,
    double latency,
    double jitter,
    double refusal,
    double network,
    double foreign,
    boolean unsteady,
    boolean streaming,
    int inFlight,
    List<Fault> faults,
    List<Change> changes) {

  /** What goes wrong. */
  public enum Kind {
    OVERLOADED,
    BROKEN_BEFORE,
    BROKEN_AFTER,
    CUT,
    SPEND_CAP,
    ACCELERATION
  }

  /** From when to when, in seconds, which part of the attempts. */
  public record Fault(Kind kind, double from, double to, double part) {}

  /** At that second, limits become so many times what they were at the start. */
  public record Change(double at, double factor) {}

  public static Scenario of(String name, Style style, double latency, TrueLimit... limits) {
    return new Scenario(
        name,
        List.of(limits),
        style,
        latency,
        0,
        Math.min(latency, 0.05),
        0.02,
        0,
        false,
        false,
        Integer.MAX_VALUE,
        List.of(),
        List.of());
  }

  public Scenario refusing(double seconds) {
    return new Scenario(
        name, limits, style, latency, jitter, seconds, network, foreign, unsteady, streaming,
        inFlight, faults, changes);
  }

  public Scenario jitter(double part) {
    return new Scenario(
        name, limits, style, latency, part, refusal, network, foreign, unsteady, streaming,
        inFlight, faults, changes);
  }

  public Scenario foreign(double part, boolean atRandom) {
    return new Scenario(
        name, limits, style, latency, jitter, refusal, network, part, atRandom, streaming, inFlight,
        faults, changes);
  }

  public Scenario stream() {
    return new Scenario(
        name, limits, style, latency, jitter, refusal, network, foreign, unsteady, true, inFlight,
        faults, changes);
  }

  public Scenario inFlight(int most) {
    return new Scenario(
        name, limits, style, latency, jitter, refusal, network, foreign, unsteady, streaming, most,
        faults, changes);
  }

  public Scenario faults(Fault... other) {
    return new Scenario(
        name,
        limits,
        style,
        latency,
        jitter,
        refusal,
        network,
        foreign,
        unsteady,
        streaming,
        inFlight,
        List.of(other),
        changes);
  }

  public Scenario changes(Change... other) {
    return new Scenario(
        name,
        limits,
        style,
        latency,
        jitter,
        refusal,
        network,
        foreign,
        unsteady,
        streaming,
        inFlight,
        faults,
        List.of(other));
  }
}
